import type { CallAnswer } from '@copydesk/contract';
import type { CycleAction, HarvestProgress } from '@copydesk/contract/pools';
import { unitsToDecimal } from '@copydesk/domain/money';
import {
  decideHarvest,
  type HarvestRefusal,
  type HarvestRole,
  type TurnOf,
  transitionsOf,
  turnOf,
} from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { OwnerLinks } from '../../../core/outbox/owner-link.ts';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { EVENT_OF } from './act-on-cycle.service.ts';
import { listCycleEvents } from './cycle-events.store.ts';
import { type CycleRow, readCycles } from './cycles.store.ts';
import { findFunding } from './funding.store.ts';
import { type CycleFacts, readFacts } from './harvest-facts.ts';
import { renderReminder } from './owner/notify-owner.ts';
import { findProposal } from './resolutions.store.ts';

type Timeline = CallAnswer<'GET /api/pooled-accounts/{id}/harvest/progress'>['data']['events'];

const ROLE_OF: Record<TurnOf, HarvestRole> = {
  system: 'worker',
  bot: 'bot',
  owner: 'owner',
  operator: 'operator',
  super_admin: 'super_admin',
  another_super_admin: 'super_admin',
};

/** Events shown; a cycle rarely has thirty. */
const MOST_EVENTS = 200;

interface Told {
  proxy_address: string | null;
  owner_name: string | null;
  notified_at: string | null;
  message_state: 'queued' | 'sent' | 'failed' | null;
  reminders: number;
  reason: string | null;
  reason_detail: string | null;
}

/** How far the current cycle of a pool has come, for a super admin. Null: there is no such pool. */
export async function findProgress(
  tx: Tx,
  { links, ...rules }: ApproverRules & { links: OwnerLinks },
  { poolId, callerId }: { poolId: string; callerId: string },
): Promise<HarvestProgress | null> {
  const [row] = await readCycles(tx, [poolId]);
  if (!row) return null;
  const now = rules.now();
  const people = row.startedBy ? [row.startedBy] : [];
  const proposal = await findProposal(tx, row);
  const refusalOf = await readApprovers(tx, rules, callerId, people);
  const hasSecondPerson = row.startedBy === null || refusalOf(row.startedBy) === null;
  const facts = await readFacts(tx, row, { now, personId: callerId, hasSecondPerson });
  const told = await findOwnerNotices(tx, row);
  const funding = await findFunding(tx, row.id);
  const turn = turnOf(
    {
      ...row.state,
      reason: row.approvalAwaitedSince ? 'approval_required' : told.reason,
      since: row.statusSince.toISOString(),
      step_since: row.stepSince.toISOString(),
      deadline_at: row.deadlineAt?.toISOString() ?? null,
      is_resume_awaited: facts.isResumeAwaited,
    },
    row.hasBot,
  );
  const isWithdrawing = row.state.status === 'awaiting_bybit_withdrawal';
  return {
    awaited: turn && ROLE_OF[turn.who],
    waits_because: row.state.status === 'failed' ? null : told.reason,
    waits_detail: row.state.status === 'failed' ? null : told.reason_detail,
    failure: row.failure,
    has_bot: row.hasBot,
    proxy_address: told.proxy_address,
    owner: {
      name: told.owner_name,
      notified_at: told.notified_at,
      message_state: told.message_state,
      reminders: told.reminders,
      reminder: isWithdrawing ? await renderReminder(tx, row, links) : null,
    },
    start_balance: row.startBalanceUnits === null ? null : unitsToDecimal(row.startBalanceUnits),
    returned: unitsToDecimal(facts.returnedUnits),
    evidence: await findShownEvidence(tx, row.id),
    valuation: valuationOf(row, facts),
    funding: funding && {
      attempt: funding.attempt,
      amount: unitsToDecimal(funding.units),
      credited: unitsToDecimal(funding.creditedUnits),
      state: funding.state,
      to_address: funding.toAddress,
      transaction_hash: funding.transactionHash,
    },
    deposit_address: {
      approved: row.address.approved,
      usable_from: row.address.usableFrom?.toISOString() ?? null,
      read: row.address.read,
    },
    proposal: proposal && {
      id: proposal.id,
      kind: proposal.kind,
      evidence: proposal.evidence,
      requested_by: proposal.requestedBy,
      at: proposal.at,
      is_own: proposal.requestedById === callerId,
    },
    actions: actionsOf(row, facts),
    events: (await listCycleEvents(tx, row.id, MOST_EVENTS)) as Timeline,
  };
}

/** The result as it would be booked, or as it was. */
function valuationOf(row: CycleRow, facts: CycleFacts): HarvestProgress['valuation'] {
  if (facts.resultUnits === null) return null;
  return {
    result: unitsToDecimal(facts.resultUnits),
    reasons: [...facts.valuationReasons],
    foreign: facts.foreign.map(({ type, units }) => ({ type, amount: unitsToDecimal(units) })),
    set_aside: unitsToDecimal(facts.foreignUnits),
    missing: unitsToDecimal(facts.missingUnits),
    uncovered: unitsToDecimal(facts.uncoveredUnits),
    is_approved: facts.isValuationApproved,
    is_booked: row.resultUnits !== null,
  };
}

/** An act reads the exchange first, so an old read refuses none of them. */
const READ_AGAIN: ReadonlySet<HarvestRefusal> = new Set<HarvestRefusal>(['evidence_old']);

/** The acts that the state knows, each with the reason why it would be refused now. */
function actionsOf(row: CycleRow, facts: CycleFacts): HarvestProgress['actions'] {
  return (Object.keys(EVENT_OF) as CycleAction[]).flatMap((action) => {
    const event = EVENT_OF[action];
    const isListed = transitionsOf(row.state, event.kind).some(({ roles }) =>
      (roles as readonly string[]).includes(event.role),
    );
    if (!isListed) return [];
    if (action === 'approve' && row.approvalAwaitedSince === null) return [];
    if (action === 'confirm_resumed' && row.state.status === 'stopped' && !facts.isResumeAwaited) return [];
    const decision = decideHarvest(row.state, event, facts);
    const refusal = decision.kind === 'refuse' && !READ_AGAIN.has(decision.code) ? decision.code : null;
    return [{ action, refusal }];
  });
}

async function findOwnerNotices(tx: Tx, { id }: CycleRow): Promise<Told> {
  const { rows } = await sql<Told>`
    SELECT p.proxy_address, c.owner_name, h.reason, h.reason_detail, app.iso(m.created_at) AS notified_at, m.state AS message_state,
      (SELECT count(*)::int FROM message r
        WHERE r.community_id = c.id AND r.dedupe_key LIKE ${`withdraw_reminder:${id}:%`}) AS reminders
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id JOIN community c ON c.id = p.community_id
    LEFT JOIN LATERAL (
      SELECT o.created_at, o.state FROM message o
      WHERE o.community_id = c.id AND o.dedupe_key LIKE ${`withdraw_funds:${id}:%`}
      ORDER BY o.created_at DESC LIMIT 1) m ON true
    WHERE h.id = ${id}`.execute(tx.sql);
  return rows[0] as Told;
}

async function findShownEvidence(tx: Tx, cycleId: string): Promise<HarvestProgress['evidence']> {
  const { rows } = await sql<NonNullable<HarvestProgress['evidence']>>`
    SELECT e.id, app.iso(e.read_at) AS read_at, e.open_positions, e.open_orders, e.unstored_positions,
      trim_scale(e.balance_units * 0.000000000000000001)::text AS balance,
      trim_scale(e.other_coins_units * 0.000000000000000001)::text AS other_coins, e.open_withdrawals
    FROM pool_evidence e WHERE e.cycle_id = ${cycleId} ORDER BY e.read_at DESC, e.id DESC LIMIT 1`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}
