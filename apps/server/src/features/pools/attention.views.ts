import type { AttentionTurn } from '@copydesk/domain/attention';
import { BREAKER_NEAR, isTradedOn, type TurnFacts, type TurnOf, turnOf } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { type AttentionSource, aboutPool, asItems } from '../../core/attention/attention-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { cycleJson } from './cycle-json.ts';

/** Of the turns of a harvest, those of people. */
const TURN: Partial<Record<TurnOf, AttentionTurn>> = {
  operator: 'you',
  super_admin: 'you',
  another_super_admin: 'you',
  owner: 'owner',
};

interface Row {
  id: string;
  has_bot: boolean;
  started_by: string | null;
  is_late: boolean;
  is_recent: boolean;
  cycle: TurnFacts;
}

/** Every pool's cycle: one row a pool, for the rules by which the pool's own screen speaks. */
async function readCycles(tx: AnyTx): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT p.id, p.has_bot, h.started_by, ${cycleJson} AS cycle, h.since > now() - interval '1 day' AS is_recent,
      coalesce((${cycleJson} ->> 'deadline_at')::timestamptz < now(), false) AS is_late
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE h.ended_at IS NULL AND p.is_approved AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  return rows;
}

/** A harvest that was called off counts for a day: the next one shows whether it is mended. */
const isAlarm = ({ cycle, is_recent }: Row) => isTradedOn(cycle) && (cycle.status !== 'stopped' || is_recent);

export const tradedOnPools: AttentionSource = {
  items: async (tx) =>
    asItems(
      (await readCycles(tx)).filter(isAlarm).map(({ id, cycle }) => ({
        subject: id,
        since: cycle.since,
        code: cycle.reason,
        turn: 'you',
        author: null,
      })),
    ),
  about: aboutPool,
};

export const waitingHarvests: AttentionSource = {
  items: async (tx) =>
    asItems(
      (await readCycles(tx)).flatMap((row) => {
        const found = isTradedOn(row.cycle) ? null : turnOf(row.cycle, row.has_bot);
        const turn = found && TURN[found.who];
        if (!found || !turn) return [];
        const isOwnerLate = row.is_late && found.who === 'owner';
        return {
          subject: row.id,
          since: found.since,
          code: isOwnerLate ? 'owner_late' : found.act,
          turn: isOwnerLate ? 'you' : turn,
          author: found.who === 'another_super_admin' ? row.started_by : null,
        };
      }),
    ),
  about: aboutPool,
};

/** Pools whose last result left little to their circuit breaker; one that was reached keeps a harvest waiting. */
export const nearBreakers: AttentionSource = {
  items: (tx) => ({
    from: sql`pooled_account p JOIN LATERAL (
        SELECT h.drawdown_percentage AS drawdown, h.valued_at FROM harvest_cycle h
        WHERE h.pooled_account_id = p.id AND h.result_units IS NOT NULL ORDER BY h.cycle_number DESC LIMIT 1) r
        ON -r.drawdown >= ${sql.lit(BREAKER_NEAR)} * p.max_drawdown_percentage AND -r.drawdown < p.max_drawdown_percentage
      WHERE p.is_active AND p.is_approved AND ${communityInScope(tx, 'p.community_id')}`,
    subject: sql`p.id::text`,
    since: sql`r.valued_at`,
    code: sql`trim_scale(p.max_drawdown_percentage + r.drawdown)::text`,
  }),
  about: aboutPool,
};

/** Money at a pool whose origin is not known, or whose end one person proposed. For super admins. */
export const openArrivals: AttentionSource = {
  items: () => ({
    from: sql`pool_arrival a LEFT JOIN pool_arrival_decision d ON d.arrival_id = a.id AND d.state = 'proposed'
      WHERE a.state = 'unexplained'`,
    subject: sql`a.id::text`,
    since: sql`a.seen_at`,
    amountUnits: sql`a.amount_units - a.decided_units`,
    code: sql`CASE WHEN d.id IS NULL THEN 'undecided' ELSE 'proposed' END`,
    authorId: sql`d.requested_by_id`,
  }),
  about: {
    from: sql`pool_arrival a JOIN pooled_account p ON p.id = a.pooled_account_id
      JOIN community c ON c.id = p.community_id WHERE a.id = i.subject::uuid`,
    columns: { title: sql`c.name`, communityId: sql`c.id`, poolId: sql`p.id` },
  },
};
