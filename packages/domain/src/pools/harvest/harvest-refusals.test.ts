import { describe, expect, test } from 'vitest';
import {
  AWAITING,
  CHECKING,
  CREDITING,
  decide,
  OPENING,
  PAUSING,
  positions,
  read,
  VALUING,
} from '../../../../../tests/support/pools/decide-harvest.ts';
import { EMPTY_EXCHANGE } from '../../../../../tests/support/pools/healthy-facts.ts';
import type { HarvestEventKind } from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';

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
