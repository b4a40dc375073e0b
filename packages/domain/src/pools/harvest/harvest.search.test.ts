import { describe, expect, test } from 'vitest';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from '../../../../../tests/support/pools/healthy-facts.ts';
import {
  explore,
  nearestBreach,
  nearestDeadEnd,
  nearestWrongStep,
} from '../../../../../tests/support/search/explore.ts';
import {
  firstHarvestWorld,
  HARVEST_GUARDS,
  HARVEST_RULES,
  type HarvestBounds,
  type HarvestGuards,
  isHarvestEnd,
  nameOfHarvestWorld,
  refusedTurn,
  stepsOfHarvest,
  wrongHarvestStep,
} from '../../../../../tests/support/search/harvest-world.ts';
import { HARVEST_TRANSITIONS } from './harvest.ts';
import type { HarvestEventKind, HarvestRefusal } from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import { TRADING } from './harvest-states.ts';

function search(bounds: HarvestBounds, changed: Partial<HarvestGuards> = {}, maxDepth?: number) {
  const guards = { ...HARVEST_GUARDS, ...changed };
  return explore({
    first: firstHarvestWorld(bounds),
    stepsOf: stepsOfHarvest(bounds, guards),
    nameOf: nameOfHarvestWorld(guards),
    ...(maxDepth !== undefined && { maxDepth }),
  });
}
const BOT: HarvestBounds = { hasBot: true, hasBadResult: true };
const OPERATOR: HarvestBounds = { hasBot: false, hasBadResult: false };

describe('two workers, super admins, an owner and a trader, in every order', () => {
  test.each([
    ['a bot, and a loss that nothing covers', BOT],
    ['an operator', OPERATOR],
  ])('keep every rule: %s', (_, bounds) => {
    const all = search(bounds);
    expect(all.isWhole).toBe(true);
    expect(all.found.size).toBeGreaterThan(1_500);
    for (const [name, rule] of Object.entries(HARVEST_RULES))
      expect(nearestBreach(all, rule), name).toBeNull();
    expect(nearestBreach(all, refusedTurn(bounds))).toBeNull();
    expect(nearestWrongStep(all, wrongHarvestStep)).toBeNull();
    expect(nearestDeadEnd(all, isHarvestEnd)).toBeNull();
  });
});

const NOTHING_HOLDS: HarvestFacts = {
  ...HEALTHY_FACTS,
  exchange: { ...EMPTY_EXCHANGE, openPositions: 1, openWithdrawals: null },
  isAcknowledged: false,
  startBalanceUnits: 9n,
  returnedUnits: 1n,
  resolution: null,
};
/** The table with an event less guarded: without the guards that refuse with these codes. */
const without = (event: HarvestEventKind, codes: readonly HarvestRefusal[]) =>
  HARVEST_TRANSITIONS.map((transition) => ({
    ...transition,
    guards: transition.guards.filter((guard) => {
      const code = guard(NOTHING_HOLDS)?.code;
      return transition.event !== event || !code || !codes.includes(code);
    }),
  }));
/** The table with another row for an event. */
const changed = (event: HarvestEventKind, by: Partial<(typeof HARVEST_TRANSITIONS)[number]>) =>
  HARVEST_TRANSITIONS.map((each) => (each.event === event ? { ...each, ...by } : each));

describe('without one guard the search finds how', () => {
  test.each([
    ['a pool opens without a result', 'bookedWhenOpen', { transitions: changed('valued', { effects: [] }) }],
    [
      'a pool trades without its money',
      'tradesWithItsMoney',
      { transitions: without('abort', ['funds_moved', 'balance_incomplete']) },
    ],
    [
      'a pool trades without what came back',
      'tradesWithItsMoney',
      { transitions: without('resolve', ['evidence_missing']) },
    ],
    [
      'trading goes on while the money leaves',
      'pausedWhenOpen',
      { transitions: without('trading_paused', ['acknowledgement_old']) },
    ],
  ] as [string, keyof typeof HARVEST_RULES, Partial<HarvestGuards>][])('%s', (_, rule, guards) => {
    expect(nearestBreach(search(BOT, guards), HARVEST_RULES[rule])).not.toBeNull();
  });

  test.each([
    ['a result is booked twice', 'bookedOnce', 13],
    ['a pool is funded twice', 'fundedOnce', 19],
  ] as const)('%s by workers that are late', (_, rule, steps) => {
    const all = search(OPERATOR, { comparesVersion: false }, steps);
    expect(nearestBreach(all, HARVEST_RULES[rule])).not.toBeNull();
  });

  test('the console names an act that is refused, and a failed cycle stays failed', () => {
    const transitions = HARVEST_TRANSITIONS.filter(({ event }) => event !== 'retry');
    const refused = refusedTurn(OPERATOR, { ...HARVEST_GUARDS, transitions });
    expect(nearestBreach(search(OPERATOR, { transitions }), refused)?.what).toBe('retry: invalid_status');
    const neither = transitions.filter(({ event }) => event !== 'resolve');
    expect(nearestDeadEnd(search(OPERATOR, { transitions: neither }), isHarvestEnd)).not.toBeNull();
  });

  test('a worker goes back to trading after a deadline', () => {
    const transitions = changed('deadline_passed', { to: TRADING, effects: [] });
    expect(nearestWrongStep(search(OPERATOR, { transitions }, 8), wrongHarvestStep)?.what).toBe(
      'a worker goes back to trading',
    );
  });
});
