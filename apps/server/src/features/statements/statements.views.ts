import type { CallAnswer, CallParsed } from '@copydesk/contract';
import {
  type AccountKind,
  isThroughInvoices,
  PLATFORM_OWNER,
  type StatementOwner,
  statementAccounts,
} from '@copydesk/domain/ledger';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { communityInScope, providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { usdt } from '../../platform/db/usdt-text.ts';

type Balances = CallAnswer<'GET /api/statements/balances'>['data']['balances'];
type NotBooked = CallAnswer<'GET /api/statements/balances'>['data']['not_booked'];
type Statement = Pick<CallAnswer<'GET /api/statements'>, 'data' | 'meta'>;
type Asked = Omit<CallParsed<'GET /api/statements'>['query'], 'limit' | 'offset' | 'owner_id'> & {
  owner_id: string;
};

export interface Owner {
  kind: StatementOwner;
  id: string;
}

/** The platform's accounts have an owner of their own. */
export const ownerOf = (kind: StatementOwner, id: string | undefined): Owner | null =>
  kind === 'platform' ? { kind, id: PLATFORM_OWNER } : id ? { kind, id } : null;

/** The name of an owner for people; null: there is none in scope. */
export async function findOwner(tx: AnyTx, { kind, id }: Owner): Promise<string | null> {
  if (kind === 'platform') return 'Platform';
  const nameOfTrader = sql`coalesce(t.name, t.telegram_username, t.reference_number, t.id::text) AS name`;
  const from: Record<Exclude<StatementOwner, 'platform'>, RawBuilder<unknown>> = {
    trader: sql`SELECT ${nameOfTrader} FROM trader t WHERE t.id = ${id} AND ${traderInScope(tx, 't.id')}`,
    community: sql`SELECT c.name FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')}`,
    pool: sql`SELECT c.name FROM pooled_account p JOIN community c ON c.id = p.community_id
      WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')}`,
    member: sql`SELECT ${nameOfTrader} FROM pool_member m JOIN trader t ON t.id = m.trader_id
      WHERE m.id = ${id} AND ${traderInScope(tx, 't.id')}`,
    invoice: sql`SELECT ${nameOfTrader} FROM invoice i JOIN trader t ON t.id = i.trader_id
      WHERE i.id = ${id} AND ${providerInScope(tx, 'i.provider_id')}`,
  };
  const { rows } = await sql<{ name: string }>`${from[kind]}`.execute(tx.sql);
  return rows[0]?.name ?? null;
}

/** The accounts of some kinds `a` of an owner, read by owner id: the kinds of its own, and those of its invoices. */
function accounts(tx: AnyTx, { kind, id }: Owner, kinds: readonly AccountKind[]): RawBuilder<unknown> {
  const ownKinds = kinds.filter((each) => !isThroughInvoices(kind, each));
  const ofInvoices = kinds.filter((each) => isThroughInvoices(kind, each));
  const parts = [];
  if (ownKinds.length > 0)
    parts.push(sql`SELECT a.id, a.kind, a.asset, a.side, NULL::uuid AS invoice_id FROM ledger_account a
      WHERE a.owner_id = ${id} AND a.kind = ANY (${ownKinds}::text[]) AND ${providerInScope(tx, 'a.provider_id')}`);
  if (ofInvoices.length > 0)
    parts.push(sql`SELECT a.id, a.kind, a.asset, a.side, i.id AS invoice_id
      FROM invoice i JOIN ledger_account a ON a.owner_id = i.id
      WHERE ${kind === 'trader' ? sql`i.trader_id` : sql`i.community_id`} = ${id}
        AND a.kind = ANY (${ofInvoices}::text[]) AND ${providerInScope(tx, 'i.provider_id')}`);
  return sql.join(parts, sql` UNION ALL `);
}

/**
 * The balances of an owner's accounts by kind and asset.
 * @param at what was booked before it counts; undefined: all of it
 */
export async function listBalances(tx: AnyTx, owner: Owner, at: string | undefined): Promise<Balances> {
  const kinds = statementAccounts(owner.kind);
  // Without a time the balances that are kept answer, whatever the number of postings.
  const units = at
    ? sql`SELECT coalesce(sum(p.amount), 0) * a.side AS units FROM posting p JOIN journal j ON j.id = p.journal_id
        WHERE p.account_id = a.id AND j.created_at < ${at}::timestamptz AND ${providerInScope(tx, 'p.provider_id')}`
    : sql`SELECT b.posted AS units FROM ledger_balance b WHERE b.account_id = a.id`;
  const { rows } = await sql<Balances[number]>`
    SELECT a.kind AS account, a.asset, count(*)::int AS accounts, ${usdt(sql`coalesce(sum(u.units), 0)`)} AS balance
    FROM (${accounts(tx, owner, kinds)}) a LEFT JOIN LATERAL (${units}) u ON true
    GROUP BY a.kind, a.asset`.execute(tx.sql);
  const place = (kind: AccountKind) => kinds.indexOf(kind);
  return rows.sort((a, b) => place(a.account) - place(b.account) || a.asset.localeCompare(b.asset));
}

/** What a trader, or the traders of a community, owe on imported invoices that are in no books yet; null for others. */
export async function sumNotBooked(tx: AnyTx, { kind, id }: Owner): Promise<NotBooked> {
  if (!isThroughInvoices(kind, 'receivable')) return null;
  const { rows } = await sql<NonNullable<NotBooked>>`
    SELECT count(*)::int AS invoices, ${usdt(sql`coalesce(sum(i.amount_units - i.paid_units), 0)`)} AS amount
    FROM invoice i WHERE ${kind === 'trader' ? sql`i.trader_id` : sql`i.community_id`} = ${id} AND ${isOwed}
      AND ${providerInScope(tx, 'i.provider_id')}
      AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.owner_id = i.id AND a.kind = 'receivable')`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

/** Every posting `l` of a statement before its end, with the change of its account's balance. */
const lines = (tx: AnyTx, owner: Owner, { account, asset, to }: Asked) => sql`
  SELECT p.id, p.journal_id, j.created_at, j.kind, j.source_type, j.source_id, j.actor_name, j.reverses, a.invoice_id,
    p.amount * a.side AS change
  FROM (${accounts(tx, owner, [account])}) a JOIN posting p ON p.account_id = a.id JOIN journal j ON j.id = p.journal_id
  WHERE a.asset = ${asset} AND ${providerInScope(tx, 'p.provider_id')}
    AND j.created_at < coalesce(${to ?? null}::timestamptz, 'infinity')`;

/** The first moment of a statement. */
const beginning = ({ from }: Asked) => sql`coalesce(${from ?? null}::timestamptz, '-infinity')`;

/**
 * Its movements `m`, each with the balance after it. In the order in which they were booked: the time of a journal is that
 * of the beginning of its transaction, and two of them may begin in one order and book in the other.
 */
const movements = (asked: Asked) => sql`
  SELECT l.*, o.units + sum(l.change) OVER (ORDER BY l.id) AS balance
  FROM line l CROSS JOIN (
    SELECT coalesce(sum(b.change), 0) AS units FROM line b WHERE b.created_at < ${beginning(asked)}) o
  WHERE l.created_at >= ${beginning(asked)}`;

/** The columns of a movement `m` on the wire. */
const columns = sql`m.id::text, m.journal_id, app.iso(m.created_at) AS at, m.kind, ${usdt(sql`m.change`)} AS change,
  ${usdt(sql`m.balance`)} AS balance, m.source_type, m.source_id, m.invoice_id, m.actor_name, m.reverses`;

/** One page of a statement, latest first, with the sums of the whole. */
export async function readStatement(
  tx: AnyTx,
  asked: Asked,
  { limit, offset }: { limit: number; offset: number },
): Promise<Statement> {
  const owner = { kind: asked.owner_kind, id: asked.owner_id };
  const before = sql`l.created_at < ${beginning(asked)}`;
  const sumOf = (condition: RawBuilder<unknown>) =>
    usdt(sql`coalesce(sum(l.change) FILTER (WHERE ${condition}), 0)`);
  const { rows } = await sql<{ data: Statement['data']; meta: Statement['meta'] }>`
    WITH line AS MATERIALIZED (${lines(tx, owner, asked)})
    SELECT (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT ${columns} FROM (${movements(asked)}) m
        ORDER BY m.id DESC LIMIT ${limit} OFFSET ${offset}) r) AS data,
      (SELECT json_build_object('total', count(*) FILTER (WHERE NOT ${before}), 'opening', ${sumOf(before)},
        'increase', ${sumOf(sql`NOT ${before} AND l.change > 0`)},
        'decrease', ${usdt(sql`-coalesce(sum(l.change) FILTER (WHERE NOT ${before} AND l.change < 0), 0)`)},
        'closing', ${usdt(sql`coalesce(sum(l.change), 0)`)}) FROM line l) AS meta`.execute(tx.sql);
  return rows[0] as Statement;
}

/** All movements of a statement, oldest first. */
export const statementRows =
  (asked: Asked) =>
  (tx: AnyTx): CompiledQuery =>
    sql`
      WITH line AS MATERIALIZED (${lines(tx, { kind: asked.owner_kind, id: asked.owner_id }, asked)})
      SELECT ${columns} FROM (${movements(asked)}) m ORDER BY m.id`.compile(tx.sql);
