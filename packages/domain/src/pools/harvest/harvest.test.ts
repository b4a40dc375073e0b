import { describe, expect, test } from 'vitest';
import {
  AWAITING,
  CHECKING,
  CREDITING,
  decide,
  nameOf,
  OPENING,
  PAUSING,
  positions,
  read,
  stateOf,
  VALUING,
} from '../../../../../tests/support/pools/decide-harvest.ts';
import { HEALTHY_FACTS } from '../../../../../tests/support/pools/healthy-facts.ts';
import { decideHarvest, transitionsOf } from './harvest.ts';
import {
  HARVEST_EVENTS,
  HARVEST_ROLES,
  type HarvestEffect,
  type HarvestEventKind,
  type HarvestRole,
  SENDING_REPORTS,
} from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import { HARVEST_STATES, MOVING_STATES } from './harvest-states.ts';
import type { HarvestTransition } from './harvest-transition.ts';

/** The rules once more, written apart from the table of the code: state, event, role, result, facts that it needs. */
const LISTED: [string, HarvestEventKind, HarvestRole, string, Partial<HarvestFacts>?][] = [
  ['stopped trading', 'start', 'super_admin', PAUSING],
  ['stopped trading', 'trading_resumed', 'operator', 'stay'],
  [PAUSING, 'trading_paused', 'bot', CHECKING],
  [PAUSING, 'trading_paused', 'operator', CHECKING],
  [CHECKING, 'checked', 'worker', VALUING],
  [CHECKING, 'checked', 'worker', AWAITING, read({ balanceUnits: 2n })],
  [CHECKING, 'checked', 'worker', AWAITING, read({ owedUnits: 1n })],
  [PAUSING, 'positions_appeared', 'worker', 'stopped trading', positions],
  [CHECKING, 'positions_appeared', 'worker', 'stopped trading', positions],
  [PAUSING, 'abort', 'super_admin', 'stopped trading'],
  [CHECKING, 'abort', 'super_admin', 'stopped trading'],
  [AWAITING, 'abort', 'super_admin', 'stopped trading'],
  [AWAITING, 'remind_owner', 'super_admin', 'stay'],
  [AWAITING, 'owner_done', 'owner', 'stay'],
  [AWAITING, 'withdrawn', 'worker', VALUING],
  [VALUING, 'approve_valuation', 'super_admin', 'stay'],
  [VALUING, 'valued', 'worker', OPENING],
  [VALUING, 'valued', 'worker', `failed ${OPENING}`, { uncoveredUnits: 1n }],
  [OPENING, 'opened', 'worker', 'harvesting open'],
  ['harvesting open', 'begin_flow', 'worker', 'stay'],
  ['harvesting open', 'begin_flow', 'super_admin', 'stay'],
  ['harvesting open', 'conclude_flow', 'worker', 'stay'],
  ['harvesting closing', 'conclude_flow', 'worker', 'stay'],
  ['harvesting open', 'close_gate', 'super_admin', 'harvesting closing'],
  ['harvesting open', 'close_gate', 'worker', 'harvesting closing'],
  ['harvesting open', 'stop', 'super_admin', 'stopping_harvesting planning'],
  ['harvesting closing', 'stop', 'super_admin', 'stopping_harvesting planning'],
  ['stopping_harvesting planning', 'funding_planned', 'worker', 'stopping_harvesting sending'],
  [
    'stopping_harvesting planning',
    'funding_planned',
    'worker',
    'stopping_harvesting resuming',
    { fundingUnits: 0n },
  ],
  ['stopping_harvesting sending', 'funding_sent', 'worker', CREDITING],
  ['stopping_harvesting sending', 'transfer_reverted', 'worker', 'failed stopping_harvesting sending'],
  [CREDITING, 'funding_credited', 'worker', 'stopping_harvesting moving'],
  [CREDITING, 'deposit_rejected', 'worker', `failed ${CREDITING}`],
  ['stopping_harvesting moving', 'funding_moved', 'worker', 'stopping_harvesting resuming'],
  ['stopping_harvesting resuming', 'trading_resumed', 'bot', 'stopped trading'],
  ['stopping_harvesting resuming', 'trading_resumed', 'operator', 'stopped trading'],
  [
    `failed ${CREDITING}`,
    'resolve',
    'super_admin',
    'stopping_harvesting planning',
    { resolution: 'funding_bounced' },
  ],
  [
    `failed ${CREDITING}`,
    'resolve',
    'super_admin',
    'stopping_harvesting resuming',
    { resolution: 'funding_lost', creditedUnits: 0n, transitUnits: 1n },
  ],
  [
    `failed ${CREDITING}`,
    'resolve',
    'super_admin',
    'stopping_harvesting moving',
    { resolution: 'funding_lost' },
  ],
  ...MOVING_STATES.flatMap((state): typeof LISTED => {
    const name = nameOf(state);
    return [
      [`failed ${name}`, 'resolve', 'super_admin', name, { creditedUnits: 0n }],
      [name, 'deadline_passed', 'worker', `failed ${name}`],
      [`failed ${name}`, 'retry', 'super_admin', name],
      [`failed ${name}`, 'resolve', 'super_admin', name],
    ];
  }),
];

describe('the cycle of a pool', () => {
  test.each(LISTED)('%s, %s by %s: %s', (from, event, role, to, facts) => {
    const decision = decide(from, event, role, facts);
    if (to === 'stay') expect(decision.kind).toBe('stay');
    else expect(decision).toMatchObject({ kind: 'move', to: stateOf(to) });
  });

  test('the events of a state are those that are listed for it', () => {
    for (const state of HARVEST_STATES) {
      const listed = LISTED.filter(([from]) => from === nameOf(state)).map(([, event]) => event);
      expect(new Set(transitionsOf(state).map(({ event }) => event))).toEqual(new Set(listed));
    }
  });

  test('every state, event and role that is not listed is refused, whatever the facts', () => {
    const listed = new Set(LISTED.map(([from, event, role]) => `${from}, ${event}, ${role}`));
    const facts = [{}, positions, { uncoveredUnits: 1n }, { resolution: 'funding_lost' as const }];
    let refused = 0;
    for (const state of HARVEST_STATES)
      for (const event of HARVEST_EVENTS)
        for (const role of HARVEST_ROLES) {
          const triple = `${nameOf(state)}, ${event}, ${role}`;
          if (listed.has(triple)) continue;
          refused += 1;
          for (const one of facts) {
            const decision = decide(nameOf(state), event, role, one);
            expect(decision.kind, triple).toBe('refuse');
          }
        }
    expect(refused + listed.size).toBe(HARVEST_STATES.length * HARVEST_EVENTS.length * HARVEST_ROLES.length);
  });
});

describe('effects', () => {
  test.each([
    ['trading pauses', 'stopped trading', 'start', 'super_admin', {}, ['request_pause']],
    ['the resumption is noted', 'stopped trading', 'trading_resumed', 'operator', {}, ['note_resumed']],
    ['a paused pool goes on at once', PAUSING, 'abort', 'super_admin', {}, ['request_resume']],
    ['the result is booked', VALUING, 'valued', 'worker', {}, ['book_valuation']],
    [
      'a shortfall is booked',
      VALUING,
      'valued',
      'worker',
      { uncoveredUnits: 1n },
      ['book_valuation', 'alert'],
    ],
    ['an open pool serves', OPENING, 'opened', 'worker', {}, ['reserve_withdrawals', 'plan_fee_transfer']],
    [
      'a stop releases unpaid withdrawals',
      'harvesting open',
      'stop',
      'super_admin',
      {},
      ['release_reservations', 'forget_raised_breaker', 'cut_carry'],
    ],
    [
      'money goes back to the exchange',
      'stopping_harvesting planning',
      'funding_planned',
      'worker',
      {},
      ['order_funding'],
    ],
    [
      'without money the pool trades at once',
      'stopping_harvesting planning',
      'funding_planned',
      'worker',
      { fundingUnits: 0n },
      ['request_resume'],
    ],
    [
      'with it after it moved',
      'stopping_harvesting moving',
      'funding_moved',
      'worker',
      {},
      ['request_resume'],
    ],
    [
      'the next cycle begins',
      'stopping_harvesting resuming',
      'trading_resumed',
      'bot',
      {},
      ['begin_next_cycle'],
    ],
    ['a failed step is repeated', `failed ${OPENING}`, 'retry', 'super_admin', {}, ['repeat_step']],
    ['as two people decide', `failed ${OPENING}`, 'resolve', 'super_admin', {}, ['repeat_step']],
    [
      'a transfer that came back is planned again, which orders it',
      `failed ${CREDITING}`,
      'resolve',
      'super_admin',
      { resolution: 'funding_bounced' },
      [],
    ],
    [
      'a lost transfer is booked, and the pool trades without it',
      `failed ${CREDITING}`,
      'resolve',
      'super_admin',
      { resolution: 'funding_lost', creditedUnits: 0n, transitUnits: 1n },
      ['book_lost_funding', 'request_resume'],
    ],
    [
      'the rest of one that was credited in part moves first',
      `failed ${CREDITING}`,
      'resolve',
      'super_admin',
      { resolution: 'funding_lost' },
      ['book_lost_funding'],
    ],
  ] as [string, string, HarvestEventKind, HarvestRole, Partial<HarvestFacts>, HarvestEffect['kind'][]][])(
    '%s',
    (_what, from, event, role, facts, kinds) => {
      const decision = decide(from, event, role, facts);
      expect(decision.kind === 'refuse' ? decision : decision.effects.map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  test.each([
    [PAUSING, 'trading_paused', 'bot'],
    [CHECKING, 'checked', 'worker'],
    [AWAITING, 'owner_done', 'owner'],
    [AWAITING, 'withdrawn', 'worker'],
    [VALUING, 'approve_valuation', 'super_admin'],
    ['harvesting open', 'begin_flow', 'worker'],
    ['harvesting open', 'conclude_flow', 'worker'],
    ['harvesting open', 'close_gate', 'super_admin'],
    ['stopping_harvesting sending', 'funding_sent', 'worker'],
    [CREDITING, 'funding_credited', 'worker'],
  ] as const)('%s, %s by %s orders nothing', (from, event, role) => {
    expect(decide(from, event, role)).toMatchObject({ effects: [] });
  });

  test.each([
    ['pausing trading', PAUSING],
    ['the withdrawal of the owner', AWAITING],
    ['the valuation', VALUING],
    ['the transfer', 'stopping_harvesting sending'],
  ])('the deadline of %s alerts', (_what, from) => {
    expect(decide(from, 'deadline_passed', 'worker')).toMatchObject({
      failure: 'deadline_passed',
      effects: [{ kind: 'alert', reason: 'deadline_passed' }],
    });
  });

  test('the report of a worker on the funding transfer ends the sending; before that it waits', () => {
    const reported = (['sent', 'credited', 'reverted'] as const).map((state) => {
      const event = SENDING_REPORTS[state];
      const decision = event && decide('stopping_harvesting sending', event, 'worker');
      return decision?.kind === 'move' ? [decision.to.status, decision.to.step, decision.failure] : decision;
    });
    expect(reported).toEqual([
      ['stopping_harvesting', 'crediting', null],
      ['stopping_harvesting', 'crediting', null],
      ['failed', 'sending', 'transfer_reverted'],
    ]);
    expect(SENDING_REPORTS).not.toHaveProperty('ordered');
  });

  test('a table that is wrong is a mistake in the program: it moves nothing', () => {
    const state = stateOf(AWAITING);
    const row = {
      ...state,
      event: 'owner_done',
      roles: ['owner'],
      guards: [],
      to: 'stay',
      effects: [],
    } as const;
    const by = (changed: Partial<HarvestTransition>) => () =>
      decideHarvest(state, { kind: 'owner_done', role: 'owner' }, HEALTHY_FACTS, [{ ...row, ...changed }]);
    expect(by({})()).toEqual({ kind: 'stay', effects: [] });
    expect(by({ when: () => false })()).toMatchObject({ kind: 'refuse', code: 'invalid_status' });
    expect(by({ effects: ['notify_owner'] })).toThrow('a message to the owner has no text');
    expect(by({ effects: ['alert'] })).toThrow('an alert has no reason');
    expect(by({ to: 'back' })).toThrow('only a failed cycle goes back');
  });

  test('the owner is asked to withdraw, and informed when the cycle is aborted', () => {
    expect(decide(CHECKING, 'checked', 'worker', read({ balanceUnits: 2n }))).toMatchObject({
      effects: [{ kind: 'notify_owner', message: 'withdraw_funds' }],
    });
    expect(decide(AWAITING, 'remind_owner', 'super_admin')).toMatchObject({
      effects: [{ kind: 'notify_owner', message: 'withdraw_reminder' }],
    });
    expect(decide(AWAITING, 'abort', 'super_admin')).toMatchObject({
      effects: [{ kind: 'request_resume' }, { kind: 'notify_owner', message: 'withdrawal_cancelled' }],
    });
  });

  test('a failure keeps its reason and alerts', () => {
    expect(decide(CREDITING, 'deposit_rejected', 'worker')).toMatchObject({
      failure: 'deposit_rejected',
      effects: [{ kind: 'alert', reason: 'deposit_rejected' }],
    });
    expect(decide('stopping_harvesting sending', 'transfer_reverted', 'worker')).toMatchObject({
      failure: 'transfer_reverted',
      effects: [{ kind: 'alert', reason: 'transfer_reverted' }],
    });
    expect(decide(PAUSING, 'positions_appeared', 'worker', positions)).toMatchObject({
      failure: null,
      effects: [{ kind: 'request_resume' }, { kind: 'alert', reason: 'positions_appeared' }],
    });
  });

  test('unreadable withdrawals do not hold up a withdrawn account; an approval lets a valuation pass', () => {
    expect(decide(AWAITING, 'withdrawn', 'worker', read({ openWithdrawals: null })).kind).toBe('move');
    const approved = { valuationReasons: ['large_result'], isValuationApproved: true } as const;
    expect(decide(VALUING, 'valued', 'worker', approved).kind).toBe('move');
  });
});
