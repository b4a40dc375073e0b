import type { OrderActName, OrderContent, OrderLine, OrderNeed, OrderState } from '@copydesk/domain/access';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** An order as it was made. */
export interface StoredOrder {
  id: string;
  act: OrderActName;
  state: OrderState;
  needs: OrderNeed[];
  communityId: string | null;
  poolId: string | null;
  units: bigint;
  seen: OrderContent;
  requestedById: string;
  requestedBy: string;
}

/** What an order is about. Units are base units of USDT. */
export interface NewOrder {
  act: OrderActName;
  communityId: string | null;
  poolId: string | null;
  /** What counts towards the approval limit. */
  units: bigint;
  content: OrderContent;
}

/** @returns its id */
export async function insertOrder(
  tx: WriteTx,
  { act, communityId, poolId, units, content }: NewOrder,
  needs: readonly OrderNeed[],
): Promise<string> {
  const state: OrderState = needs.length === 0 ? 'approved' : 'awaiting_approval';
  const { rows } = await sql<{ id: string }>`
    INSERT INTO money_order (act, state, needs, community_id, pooled_account_id, amount_units, facts, requested_by_id,
      requested_by)
    VALUES (${act}, ${state}, ${[...needs]}::text[], ${communityId}, ${poolId}, ${units.toString()},
      ${JSON.stringify(content.facts)}::jsonb, ${tx.actor.id}, ${tx.actor.name}) RETURNING id`.execute(
    tx.sql,
  );
  const id = (rows[0] as { id: string }).id;
  const column = <T>(of: (line: OrderLine) => T) => content.lines.map(of);
  await sql`
    INSERT INTO money_order_line (order_id, place, subject_id, label, to_address, amount_units)
    SELECT ${id}, n.place, n.subject_id, n.label, n.to_address, n.amount_units
    FROM unnest(${column(({ subjectId }) => subjectId)}::uuid[], ${column(({ label }) => label)}::text[],
      ${column(({ toAddress }) => toAddress)}::text[],
      ${column(({ units: lineUnits }) => lineUnits?.toString() ?? null)}::numeric[])
      WITH ORDINALITY AS n (subject_id, label, to_address, amount_units, place)`.execute(tx.sql);
  return id;
}

type Row = Omit<StoredOrder, 'units' | 'seen'> & {
  units: string;
  facts: Record<string, string>;
  lines: (Omit<OrderLine, 'units'> & { units: string | null })[];
};

const columns = sql`o.id, o.act, o.state, o.needs, o.community_id AS "communityId", o.pooled_account_id AS "poolId",
  o.amount_units::text AS units, o.facts, o.requested_by_id AS "requestedById", o.requested_by AS "requestedBy",
  (SELECT json_agg(json_build_object('subjectId', l.subject_id, 'label', l.label, 'toAddress', l.to_address,
    'units', l.amount_units::text) ORDER BY l.place) FROM money_order_line l WHERE l.order_id = o.id) AS lines`;

const toOrder = ({ units, facts, lines, ...row }: Row): StoredOrder => ({
  ...row,
  units: BigInt(units),
  seen: {
    facts,
    lines: lines.map((line) => ({ ...line, units: line.units === null ? null : BigInt(line.units) })),
  },
});

export async function findOrder(tx: Tx, id: string): Promise<StoredOrder | null> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM money_order o WHERE o.id = ${id}`.execute(tx.sql);
  return rows[0] ? toOrder(rows[0]) : null;
}

/** The order and its state, locked until the transaction ends. */
export async function lockOrder(tx: WriteTx, id: string): Promise<StoredOrder | null> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM money_order o WHERE o.id = ${id}
    FOR NO KEY UPDATE OF o`.execute(tx.sql);
  return rows[0] ? toOrder(rows[0]) : null;
}

/** Approves or declines as the caller. */
export async function decideOrder(
  tx: WriteTx,
  id: string,
  state: Extract<OrderState, 'approved' | 'declined'>,
): Promise<void> {
  await sql`UPDATE money_order SET state = ${state}, decided_at = now(), decided_by_id = ${tx.actor.id},
    decided_by = ${tx.actor.name} WHERE id = ${id}`.execute(tx.sql);
}

/** Ends orders that are not carried out. */
export async function voidOrders(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE money_order SET state = 'void'
    WHERE id = ANY (${[...ids]}::uuid[]) AND state IN ('awaiting_approval', 'approved')`.execute(tx.sql);
}

/** Whether an order of this act waits for a pool. */
export async function hasWaitingOrder(tx: Tx, poolId: string, act: OrderActName): Promise<boolean> {
  const { rows } = await sql`SELECT FROM money_order
    WHERE pooled_account_id = ${poolId} AND act = ${act} AND state = 'awaiting_approval'`.execute(tx.sql);
  return rows.length > 0;
}

/** Where funding of a pool goes from now on, as an approved order says. @throws Error when the database refuses */
export async function setFundingAddress(tx: WriteTx, orderId: string, holdHours: number): Promise<void> {
  const { rows } = await sql<{ is_set: boolean }>`
    SELECT app.set_funding_address(${orderId}, ${holdHours}) AS is_set`.execute(tx.sql);
  if (!rows[0]?.is_set) throw new Error(`the order ${orderId} does not set an address`);
}

/** Whether an order about this subject waits for another person. Only super admins see orders. */
export const isAwaitingApproval = (subjectId: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
  WHERE l.subject_id = ${subjectId} AND o.state = 'awaiting_approval')`;

/** As `isAwaitingApproval`, of one subject. */
export async function isWaiting(tx: Tx, subjectId: string): Promise<boolean> {
  const { rows } = await sql<{
    waits: boolean;
  }>`SELECT ${isAwaitingApproval(sql`${subjectId}::uuid`)} AS waits`.execute(tx.sql);
  return rows[0]?.waits === true;
}
