import { expect, test } from 'vitest';
import { HARVEST_STATES, type HarvestState } from '../harvest/harvest-states.ts';
import { stillAtExchange, type UnbookedFacts, unbookedResult } from './unbooked-result.ts';

/** 1,000 booked at the exchange; the pool is up by 50, of which the way back has cost nothing. */
const FACTS: Omit<UnbookedFacts, 'state'> = {
  isValued: false,
  readUnits: 1_050n,
  decidedUnits: 50n,
  underWayUnits: 0n,
  exchangeUnits: 1_000n,
  returnedUnits: 0n,
  lostInTransitUnits: 0n,
};

/** The figure or why there is none, for every state of a cycle. */
const EXPECTED: Record<string, number | string> = {
  'stopped trading': 50,
  'harvesting open': 'booked',
  'harvesting closing': 'booked',
  'starting_harvesting pausing': 50,
  'starting_harvesting checking': 50,
  'awaiting_bybit_withdrawal withdrawing': 50,
  'processing_invoices valuing': 50,
  'processing_invoices opening': 'booked',
  'stopping_harvesting planning': 'moving',
  'stopping_harvesting sending': 'moving',
  'stopping_harvesting crediting': 'moving',
  'stopping_harvesting moving': 'moving',
  'stopping_harvesting resuming': 'moving',
};
const nameOf = (state: HarvestState) =>
  `${state.status === 'failed' ? state.failedFrom : state.status} ${state.step}`;
const isOfThisCycle = (state: HarvestState) =>
  !/^(harvesting|stopping)/.test(nameOf(state)) && state.step !== 'opening';

test.each(HARVEST_STATES.map((state) => [JSON.stringify(state), state] as const))('%s', (_name, state) => {
  const isValued = !isOfThisCycle(state);
  const show = (facts: Partial<UnbookedFacts> = {}) => {
    const { units, gap } = unbookedResult({ ...FACTS, isValued, state, ...facts });
    return gap ?? Number(units);
  };
  const expected = EXPECTED[nameOf(state)];
  expect(show()).toBe(expected);
  if (typeof expected === 'string') {
    // Its result was booked before it opened.
    if (state.status === 'harvesting') expect(show({ isValued: false })).toBe('booked');
    return;
  }
  // Wherever the money is: at the exchange, on its way, or back.
  if (state.step !== 'valuing') {
    expect(show({ readUnits: 0n, underWayUnits: 1_050n })).toBe(50);
    expect(show({ readUnits: 600n, underWayUnits: 150n, returnedUnits: 300n })).toBe(50);
    expect(show({ lostInTransitUnits: 10n })).toBe(40);
    expect(show({ readUnits: null })).toBe('not_read');
  } else expect(show({ decidedUnits: null })).toBe('not_read');
  expect(show({ isValued: true })).toBe('booked');
});

test('withdrawals that cannot be read are no loss', () => {
  const awaiting = { status: 'awaiting_bybit_withdrawal', step: 'withdrawing' } as const;
  const unread = { ...FACTS, readUnits: 0n, underWayUnits: null };
  expect(unbookedResult({ ...unread, state: awaiting })).toEqual({ units: null, gap: 'withdrawals_unread' });
  const trading = { status: 'stopped', step: 'trading' } as const;
  expect(unbookedResult({ ...FACTS, underWayUnits: null, state: trading }).units).toBe(50n);
});

test.each([
  [1_000n, 0n, 1_000n],
  [1_000n, 300n, 700n],
  [1_000n, 1_050n, 0n],
])('%i booked and %i returned: %i still there', (exchangeUnits, returnedUnits, units) => {
  expect(stillAtExchange({ exchangeUnits, returnedUnits })).toBe(units);
});
