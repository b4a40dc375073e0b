import { expect, test } from 'vitest';
import {
  decideApprover,
  decideConfirmation,
  mayTakeFrom,
  responsibleIds,
  type Vouched,
} from './four-eyes.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

const person = (id: string, over: Partial<Vouched> = {}): Vouched => ({
  id,
  isConfirmed: true,
  sponsorIds: [],
  ...over,
});
const unconfirmed = (id: string, ...sponsorIds: string[]) => person(id, { isConfirmed: false, sponsorIds });

test.each([
  ['an independent, confirmed super admin', person('b'), person('a'), 48, null],
  ['the requester', person('a'), person('a'), 48, 'own_approval'],
  ['the requester, unconfirmed', unconfirmed('a', 'x'), unconfirmed('a', 'x'), 48, 'own_approval'],
  ['whom the requester made', unconfirmed('b', 'a'), person('a'), 48, 'approver_not_independent'],
  [
    'whom a puppet of the requester made',
    unconfirmed('c', 'b', 'a'),
    person('a'),
    48,
    'approver_not_independent',
  ],
  ['whom another made, unconfirmed', unconfirmed('b', 'x'), person('a'), 48, 'approver_not_confirmed'],
  ['without a known sponsor, unconfirmed', unconfirmed('b'), person('a'), 48, 'approver_not_confirmed'],
  [
    'whom the requester made, and a third one confirmed',
    person('b', { sponsorIds: ['a'] }),
    person('a'),
    48,
    null,
  ],
  [
    'the maker of an unconfirmed requester',
    person('a'),
    unconfirmed('b', 'a'),
    48,
    'requester_not_independent',
  ],
  ['the maker of a confirmed requester', person('a'), person('b', { sponsorIds: ['a'] }), 48, null],
  ['another than the maker of an unconfirmed requester', person('x'), unconfirmed('b', 'a'), 48, null],
  ['a super admin of 23 hours', person('b'), person('a'), 23, 'approver_too_new'],
  ['a super admin of 24 hours', person('b'), person('a'), 24, null],
] as const)('approval by %s', (_, approver, requester, hours, expected) => {
  const refusal = decideApprover({
    approver,
    requester,
    superSince: hoursAgo(hours),
    minAgeMs: 24 * HOUR_MS,
    at: NOW,
  });
  expect(refusal).toBe(expected);
});

test('approval by an account that is no super admin any more', () => {
  const refused = { approver: person('b'), requester: person('a'), superSince: null, minAgeMs: 0, at: NOW };
  expect(decideApprover(refused)).toBe('approver_too_new');
});

test.each([
  ['by an independent super admin', person('x'), unconfirmed('b', 'a'), true, 2, null],
  ['of oneself', unconfirmed('b', 'a'), unconfirmed('b', 'a'), true, 2, 'own_confirmation'],
  ['by the sponsor', person('a'), unconfirmed('b', 'a'), true, 2, 'confirmation_not_independent'],
  [
    'by the sponsor of the sponsor',
    person('a'),
    unconfirmed('c', 'b', 'a'),
    true,
    2,
    'confirmation_not_independent',
  ],
  [
    'by one of its two sponsors',
    person('a'),
    unconfirmed('b', 'x', 'a'),
    true,
    2,
    'confirmation_not_independent',
  ],
  ['by an unconfirmed one', unconfirmed('b', 'a'), unconfirmed('c', 'x'), true, 2, 'confirmer_not_confirmed'],
  [
    'by the only confirmed one',
    person('x'),
    unconfirmed('b', 'a'),
    true,
    1,
    'operator_confirmation_required',
  ],
  ['of one without a sponsor', person('x'), unconfirmed('b'), true, 2, 'confirmation_needs_sponsor'],
  ['of a person who cannot sign in', person('x'), unconfirmed('b', 'a'), false, 2, 'not_a_super_admin'],
] as const)('confirmation %s', (_, confirmer, candidate, isActiveSuper, otherConfirmed, expected) => {
  expect(decideConfirmation({ confirmer, candidate, isActiveSuper, otherConfirmed })).toBe(expected);
});

test.each([
  ['a confirmed account answers for itself alone', true, ['own']],
  ['an unconfirmed one shares its limits with its sponsors', false, ['own', 'maker', 'maker of the maker']],
])('%s', (_name, isConfirmed, ids) => {
  const account = { id: 'own', isConfirmed, sponsorIds: ['maker', 'maker of the maker'] };
  expect(responsibleIds(account)).toEqual(ids);
});

test.each([
  ['a confirmed one acts on anyone', person('a'), person('b'), true],
  ['an unconfirmed one on no confirmed one', unconfirmed('a', 's'), person('b'), false],
  ['an unconfirmed one on another unconfirmed one', unconfirmed('a', 's'), unconfirmed('b', 's'), true],
  ['an unconfirmed one on itself', unconfirmed('a', 's'), unconfirmed('a', 's'), true],
] as const)('of super admins, %s', (_, actor, target, expected) => {
  expect(mayTakeFrom(actor, target)).toBe(expected);
});

test('an unknown account takes nothing from a confirmed one, and has nothing to lose', () => {
  expect(mayTakeFrom(undefined, person('b'))).toBe(false);
  expect(mayTakeFrom(unconfirmed('a'), undefined)).toBe(true);
});
