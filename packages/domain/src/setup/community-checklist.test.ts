import { expect, test } from 'vitest';
import { COMMUNITY_STEPS, type CommunityFacts, checkCommunity, isOptional } from './community-checklist.ts';

const NEW: CommunityFacts = {
  providers: [],
  exceeding: [],
  withoutAddress: ['the community'],
  held: [],
  hasWallet: false,
  bot: null,
  subscription: 'none',
  hasTrader: false,
};
const READY: CommunityFacts = {
  providers: ['Aurora', 'Zenith'],
  exceeding: [],
  withoutAddress: [],
  held: [],
  hasWallet: true,
  bot: { isActive: true, problem: null },
  subscription: 'active',
  hasTrader: true,
};

test('a new community has every step before it, each with what to do', () => {
  const steps = checkCommunity(NEW);
  expect(steps.map(({ step }) => step)).toEqual([...COMMUNITY_STEPS]);
  expect(steps.map(({ state }) => state)).toEqual(COMMUNITY_STEPS.map(() => 'missing'));
  for (const { text } of steps) expect(text).toMatch(/^[A-Z].*\.$/);
});

test('one that is set up has nothing left', () => {
  expect(checkCommunity(READY).filter(({ state }) => state !== 'done')).toEqual([]);
});

test.each([
  ['provider', 'done', /choose Aurora and Zenith/, {}],
  ['split', 'wrong', /beside Aurora/, { exceeding: ['Aurora'] }],
  [
    'payout_addresses',
    'missing',
    /for the community and Zenith:/,
    { withoutAddress: ['the community', 'Zenith'] },
  ],
  ['payout_addresses', 'wrong', /of A, B and C is not paid/, { held: ['A', 'B', 'C'] }],
  ['payout_addresses', 'missing', /for A:/, { withoutAddress: ['A'], held: ['B'] }],
  ['bot', 'wrong', /does not accept/, { bot: { isActive: true, problem: 'refused' } }],
  ['bot', 'wrong', /switched off/, { bot: { isActive: false, problem: null } }],
  ['subscription', 'done', /active/, { subscription: 'trialing' }],
  ['subscription', 'done', /none is needed/, { subscription: null }],
  ['subscription', 'wrong', /payment failed/, { subscription: 'past_due' }],
  ['subscription', 'wrong', /again/, { subscription: 'lapsed' }],
  ['subscription', 'wrong', /again/, { subscription: 'canceled' }],
] as const)('%s is %s: %s', (step, state, text, facts) => {
  const found = checkCommunity({ ...READY, ...facts }).find((checked) => checked.step === step);
  expect(found?.state).toBe(state);
  expect(found?.text).toMatch(text);
});

test('a missing bot alone is nothing to do; one that does not answer is', () => {
  expect(isOptional({ step: 'bot', state: 'missing' })).toBe(true);
  expect(isOptional({ step: 'bot', state: 'wrong' })).toBe(false);
  expect(isOptional({ step: 'provider', state: 'missing' })).toBe(false);
});
