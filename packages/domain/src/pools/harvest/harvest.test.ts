import { describe, expect, test } from 'vitest';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from '../../../../../tests/support/pools/healthy-facts.ts';
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
import { HARVEST_STATES, type HarvestState, MOVING_STATES } from './harvest-states.ts';
import type { HarvestTransition } from './harvest-transition.ts';

const nameOf = (state: HarvestState) =>
  state.status === 'failed' ? `failed ${state.failedFrom} ${state.step}` : `${state.status} ${state.step}`;
const stateOf = (name: string): HarvestState => {
  const state = HARVEST_STATES.find((one) => nameOf(one) === name);
  if (!state) throw new Error(`no state ${name}`);
  return state;
};
const decide = (name: string, kind: HarvestEventKind, role: HarvestRole, facts: Partial<HarvestFacts> = {}) =>
  decideHarvest(stateOf(name), { kind, role }, { ...HEALTHY_FACTS, ...facts });

const PAUSING = 'starting_harvesting pausing';
const CHECKING = 'starting_harvesting checking';
const AWAITING = 'awaiting_bybit_withdrawal withdrawing';
const VALUING = 'processing_invoices valuing';
const OPENING = 'processing_invoices opening';
const CREDITING = 'stopping_harvesting crediting';

const read = (changed: Partial<typeof EMPTY_EXCHANGE>) => ({
  exchange: { ...EMPTY_EXCHANGE, ...changed },
});
const positions = read({ openPositions: 1 });

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

describe('a refused event', () => {
  const open = 'harvesting open';
  test.each([
    ['already on the way', AWAITING, 'start', 'already_harvesting', {}],
    ['already valued', VALUING, 'start', 'already_harvesting', {}],
    ['already open', open, 'start', 'already_harvesting', {}],
    ['starting while stopping', CREDITING, 'start', 'invalid_status', {}],
    ['starting a failed cycle', `failed ${CREDITING}`, 'start', 'invalid_status', {}],
    ['already stopping', CREDITING, 'stop', 'already_stopping', {}],
    ['stopping while trading', 'stopped trading', 'stop', 'not_harvesting', {}],
    ['stopping while valued', VALUING, 'stop', 'not_harvesting', {}],
    ['a flow while trading', 'stopped trading', 'begin_flow', 'invalid_status', {}],
    ['a flow after the gate', 'harvesting closing', 'begin_flow', 'invalid_status', {}],
    ['open positions', 'stopped trading', 'start', 'open_positions_exist', positions],
    ['open orders', 'stopped trading', 'start', 'open_positions_exist', read({ openOrders: 1 })],
    [
      'unstored positions',
      'stopped trading',
      'start',
      'uninvoiced_positions',
      read({ unstoredPositions: 1 }),
    ],
    ['no read', 'stopped trading', 'start', 'evidence_old', { exchange: null }],
    ['an old read', 'stopped trading', 'start', 'evidence_old', read({ ageMs: 60_001 })],
    ['a global run', 'stopped trading', 'start', 'invalid_status', { isHeldByRun: true }],
    ['pending operations', open, 'stop', 'pending_operations', { pendingOperations: 1 }],
    ['a changed address', open, 'stop', 'deposit_address_not_approved', { isDepositAddressApproved: false }],
    ['a tripped breaker', open, 'stop', 'circuit_breaker', { drawdown: '-20', maxDrawdown: '20' }],
    ['returned money', AWAITING, 'abort', 'funds_moved', { returnedUnits: 1n }],
    ['money that left', AWAITING, 'abort', 'balance_incomplete', { startBalanceUnits: 1n }],
    ['an open withdrawal', AWAITING, 'abort', 'withdrawal_under_way', read({ openWithdrawals: 1 })],
    [
      'unreadable withdrawals',
      AWAITING,
      'abort',
      'second_person_required',
      { ...read({ openWithdrawals: null }), hasSecondPerson: false },
    ],
    [
      'approving a loss of money that is somewhere else',
      VALUING,
      'approve_valuation',
      'money_missing',
      { missingUnits: 1n },
    ],
    ['approving a debt', VALUING, 'approve_valuation', 'usdt_owed', read({ owedUnits: 1n })],
    ['approving one’s own', VALUING, 'approve_valuation', 'own_approval', { hasSecondPerson: false }],
    [
      'retrying what needs a decision',
      `failed ${OPENING}`,
      'retry',
      'decision_required',
      { failure: 'shortfall' },
    ],
    ['deciding alone', `failed ${OPENING}`, 'resolve', 'second_person_required', { hasSecondPerson: false }],
    [
      'repeating what the exchange rejected',
      `failed ${CREDITING}`,
      'retry',
      'decision_required',
      { failure: 'deposit_rejected' },
    ],
    [
      'giving up a part alone',
      `failed ${CREDITING}`,
      'resolve',
      'second_person_required',
      { resolution: 'funding_lost', hasSecondPerson: false },
    ],
    [
      'a reminder while payments are stopped',
      AWAITING,
      'remind_owner',
      'payments_stopped',
      { arePaymentsStopped: true },
    ],
    ['deciding without evidence', `failed ${OPENING}`, 'resolve', 'evidence_missing', { hasEvidence: false }],
    [
      'a decision of another step',
      `failed ${OPENING}`,
      'resolve',
      'evidence_missing',
      { resolution: 'funding_lost' },
    ],
    [
      'giving up what came back',
      `failed ${CREDITING}`,
      'resolve',
      'evidence_missing',
      { resolution: 'funding_lost', creditedUnits: 0n },
    ],
    [
      'planning again while the money is away',
      `failed ${CREDITING}`,
      'resolve',
      'returns_missing',
      { resolution: 'funding_bounced', transitUnits: 1n },
    ],
  ] as [string, string, HarvestEventKind, string, Partial<HarvestFacts>][])(
    'by a super admin: %s',
    (_what, from, event, code, facts) => {
      expect(decide(from, event, 'super_admin', facts)).toMatchObject({ kind: 'refuse', code });
    },
  );

  test.each([
    [
      'an old read of a full account',
      CHECKING,
      'checked',
      'evidence_old',
      read({ balanceUnits: 2n, ageMs: 60_001 }),
    ],
    [
      'an approved loss that nothing covers, of money that is somewhere else',
      VALUING,
      'valued',
      'money_missing',
      { uncoveredUnits: 1n, missingUnits: 1n },
    ],
    [
      'funding an address that is not approved',
      'stopping_harvesting planning',
      'funding_planned',
      'deposit_address_not_approved',
      { isDepositAddressApproved: false },
    ],
    ['one read only', CHECKING, 'checked', 'evidence_old', { earlierExchange: null }],
    [
      'two reads at once',
      CHECKING,
      'checked',
      'evidence_old',
      { earlierExchange: { ...EMPTY_EXCHANGE, ageMs: 10_999 } },
    ],
    ['no positions appeared', CHECKING, 'positions_appeared', 'no_positions_found', {}],
    [
      'returns but for a little more than left',
      AWAITING,
      'withdrawn',
      'returns_missing',
      { ...read({ leftUnits: 8n }), startBalanceUnits: 10n },
    ],
    ['money left at the exchange', AWAITING, 'withdrawn', 'above_dust', read({ balanceUnits: 2n })],
    [
      'a debt at the exchange',
      AWAITING,
      'withdrawn',
      'usdt_owed',
      read({ balanceUnits: -500n, owedUnits: 500n }),
    ],
    ['a debt beside a balance', AWAITING, 'withdrawn', 'usdt_owed', read({ owedUnits: 1n })],
    ['a debt of a valued pool', VALUING, 'valued', 'usdt_owed', read({ owedUnits: 1n })],
    ['money that came back to the exchange', VALUING, 'valued', 'above_dust', read({ balanceUnits: 2n })],
    ['money that is somewhere else', VALUING, 'valued', 'money_missing', { missingUnits: 1n }],
    ['a withdrawal under way', AWAITING, 'withdrawn', 'withdrawal_under_way', read({ openWithdrawals: 1 })],
    [
      'less returned than was there',
      AWAITING,
      'withdrawn',
      'returns_missing',
      { startBalanceUnits: 100n, returnedUnits: 95n, withdrawalFeeUnits: 3n },
    ],
    [
      'an unapproved valuation',
      VALUING,
      'valued',
      'approval_required',
      { valuationReasons: ['large_result'] },
    ],
    ['books that differ', OPENING, 'opened', 'books_differ', { areBooksBalanced: false }],
    ['a fee to charge', OPENING, 'opened', 'fees_uncharged', { unchargedMembers: 1 }],
    ['another amount credited', CREDITING, 'funding_credited', 'amount_differs', { creditedUnits: 99n }],
    [
      'a deadline ahead',
      CREDITING,
      'deadline_passed',
      'deadline_not_passed',
      { deadline: new Date('2026-03-02') },
    ],
  ] as [string, string, HarvestEventKind, string, Partial<HarvestFacts>][])(
    'by the worker: %s',
    (_what, from, event, code, facts) => {
      expect(decide(from, event, 'worker', facts)).toMatchObject({ kind: 'refuse', code });
    },
  );

  test('by the bot or an operator: an old acknowledgement, or a bot that acknowledges itself', () => {
    const old = decide(PAUSING, 'trading_paused', 'bot', { isAcknowledged: false });
    expect(old).toMatchObject({ code: 'acknowledgement_old' });
    const byHand = decide(PAUSING, 'trading_paused', 'operator', { hasBot: true });
    expect(byHand).toMatchObject({ code: 'bot_attached' });
    expect(decide(AWAITING, 'withdrawn', 'owner')).toMatchObject({
      code: 'role_not_allowed',
      detail: 'owner cannot cause withdrawn',
    });
    const early = decide('stopped trading', 'trading_resumed', 'operator', { isResumeAwaited: false });
    expect(early).toMatchObject({ code: 'invalid_status' });
    expect(decide(AWAITING, 'opened', 'worker')).toMatchObject({
      detail: 'opened is not possible while awaiting_bybit_withdrawal',
    });
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
