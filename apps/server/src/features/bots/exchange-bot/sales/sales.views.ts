import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import { isAwaitingApproval } from '../../../../core/transfers/orders/orders.store.ts';
import type { AnyTx, Tx } from '../../../../platform/db/database.ts';
import { type FindNamed, type FoundRow, typedId, typedIds } from '../../../../platform/http/search-source.ts';

export type Sale = CallAnswer<'GET /api/exchange-bot/invoices/user/{id}'>['data'][number];
type Subscriber = CallAnswer<'GET /api/exchange-bot/{id}/subscribers'>['data'][number];

export interface SalePage {
  status?: Sale['status'] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const DEFAULT_PAGE = 25;

const usdt = (units: string) => unitsToDecimal(BigInt(units));

interface SaleRow extends Omit<Sale, 'price' | 'amount' | 'paid_amount' | 'credited_amount'> {
  price_units: string;
  amount_units: string;
  paid_units: string;
  credit_units: string | null;
}

async function readSales(
  tx: AnyTx,
  condition: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Sale[]> {
  const { rows } = await sql<SaleRow>`
    SELECT i.id, i.trader_id, t.name AS trader_name, t.telegram_username, i.status, ${isAwaitingApproval(sql`i.id`)} AS is_awaiting_approval, s.cancelled_because, s.plan_id,
      p.name AS plan_name, s.days, s.price_units::text,
      trim_scale(s.community_percentage)::text AS community_percentage, i.amount_units::text, i.paid_units::text, s.credit_units::text, c.code AS coupon_code,
      i.payment_address, app.iso(s.expires_at) AS expires_at, app.iso(s.access_from) AS access_from,
      app.iso(s.access_until) AS access_until, app.iso(s.created_at) AS created_at
    FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id JOIN exchange_bot_plan p ON p.id = s.plan_id
    JOIN trader t ON t.id = s.trader_id LEFT JOIN exchange_bot_coupon c ON c.id = s.coupon_id
    WHERE ${condition} ORDER BY s.created_at DESC, s.invoice_id LIMIT ${limit} OFFSET ${offset}`.execute(
    tx.sql,
  );
  return rows.map(({ price_units, amount_units, paid_units, credit_units, ...sale }) => ({
    ...sale,
    price: usdt(price_units),
    amount: usdt(amount_units),
    paid_amount: usdt(paid_units),
    credited_amount: credit_units === null ? null : usdt(credit_units),
  }));
}

export async function findSale(tx: AnyTx, id: string): Promise<Sale | null> {
  return (await readSales(tx, sql`s.invoice_id = ${id}`, { limit: 1, offset: 0 }))[0] ?? null;
}

type Order = CallAnswer<'GET /api/exchange-bot/invoices/{id}'>['data'];
type OfOrder = Omit<Order, keyof Sale | 'discount_amount'> & { discount_units: string };

/** An order, with the bot that sold it. */
export async function findOrder(tx: AnyTx, id: string): Promise<Order | null> {
  const sale = await findSale(tx, id);
  if (!sale) return null;
  const { rows } = await sql<OfOrder>`
    SELECT s.bot_id, b.username AS bot_username, b.community_id, c.name AS community,
      nullif(t.telegram_user_id, '') AS telegram_user_id, s.discount_units::text, app.iso(s.sold_at) AS sold_at,
      app.iso(s.ended_at) AS ended_at, app.iso(s.revived_at) AS revived_at
    FROM exchange_bot_sale s JOIN exchange_bot b ON b.id = s.bot_id JOIN community c ON c.id = b.community_id
    JOIN trader t ON t.id = s.trader_id WHERE s.invoice_id = ${id}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { discount_units: discount, ...of } = row;
  return { ...sale, ...of, discount_amount: sale.coupon_code === null ? null : usdt(discount) };
}

/** Beyond this number, the search text does not identify a buyer. */
const BUYERS = 20;

/** Orders by what names their buyer, by a coupon, or by the beginning of their id, newest first. */
export const findNamedOrders: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase().replace(/^@/, '');
  if (needle === '') return [];
  const [first, last] = typedIds(text) ?? [null, null];
  const { rows } = await sql<FoundRow>`
    SELECT s.invoice_id AS id, coalesce(nullif(t.name, ''), '@' || nullif(t.telegram_username, ''), 'Unnamed buyer') AS title,
      concat_ws(' · ', p.name, c.name) AS note, trim_scale((s.price_units - s.discount_units) * 1e-18)::text AS amount,
      CASE WHEN s.sold_at IS NOT NULL THEN 'paid' WHEN s.cancelled_because IS NOT NULL THEN 'cancelled' ELSE 'pending' END
        AS status,
      app.iso(s.created_at) AS at, s.invoice_id = ${typedId(text)}::uuid IS TRUE AS is_exact
    FROM (
      SELECT o.invoice_id FROM exchange_bot_sale o WHERE o.invoice_id BETWEEN ${first}::uuid AND ${last}::uuid
      UNION SELECT o.invoice_id FROM app.search_traders(${needle}, false, ${BUYERS}) n
        JOIN exchange_bot_sale o ON o.trader_id = n
      UNION SELECT o.invoice_id FROM exchange_bot_coupon k JOIN exchange_bot_sale o ON o.coupon_id = k.id
        WHERE lower(k.code) = ${needle}) found
    JOIN exchange_bot_sale s ON s.invoice_id = found.invoice_id JOIN trader t ON t.id = s.trader_id
    JOIN exchange_bot_plan p ON p.id = s.plan_id JOIN exchange_bot b ON b.id = s.bot_id
    JOIN community c ON c.id = b.community_id
    ORDER BY s.created_at DESC, s.invoice_id LIMIT ${most}`.execute(tx.sql);
  return rows;
};

/** The state of an order, by its own columns, which the index of its list has. */
const inState = (status: Sale['status'] | undefined) =>
  status === undefined
    ? sql`true`
    : {
        pending: sql`s.sold_at IS NULL AND s.cancelled_because IS NULL`,
        paid: sql`s.sold_at IS NOT NULL`,
        cancelled: sql`s.cancelled_because IS NOT NULL`,
      }[status];

export const ofBot = (botId: string) => sql`s.bot_id = ${botId}`;
export const ofTrader = (traderId: string) => sql`s.trader_id = ${traderId}`;

/** A page of orders, newest first. */
export const listSales = (
  tx: AnyTx,
  whose: RawBuilder<unknown>,
  { status, limit = DEFAULT_PAGE, offset = 0 }: SalePage,
): Promise<Sale[]> => readSales(tx, sql`${whose} AND ${inState(status)}`, { limit, offset });

export async function countSales(
  tx: AnyTx,
  whose: RawBuilder<unknown>,
  { status }: Pick<SalePage, 'status'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM exchange_bot_sale s WHERE ${whose} AND ${inState(status)}`.execute(
    tx.sql,
  );
  return rows[0]?.total ?? 0;
}

/** The last to end of each buyer's times, as long as it is not over. @param botId an id, or a column with one */
export const lasting = (botId: string | RawBuilder<unknown>) => sql`
  FROM exchange_bot_sale s WHERE s.bot_id = ${botId} AND s.access_until > now() AND NOT EXISTS (
    SELECT FROM exchange_bot_sale later WHERE later.trader_id = s.trader_id AND later.bot_id = s.bot_id
      AND later.access_until IS NOT NULL AND later.access_until > s.access_until)`;

export async function listSubscribers(
  tx: Tx,
  botId: string,
  { limit = DEFAULT_PAGE, offset = 0 }: Omit<SalePage, 'status'>,
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    SELECT t.id AS trader_id, t.name AS trader_name, t.telegram_username, p.name AS plan_name,
      app.iso(l.access_until) AS access_until
    FROM (SELECT s.trader_id, s.plan_id, s.access_until, s.invoice_id ${lasting(botId)}
      ORDER BY s.access_until, s.invoice_id LIMIT ${limit} OFFSET ${offset}) l
    JOIN trader t ON t.id = l.trader_id JOIN exchange_bot_plan p ON p.id = l.plan_id
    ORDER BY l.access_until, l.invoice_id`.execute(tx.sql);
  return rows;
}

export async function countSubscribers(tx: AnyTx, botId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total ${lasting(botId)}`.execute(
    tx.sql,
  );
  return rows[0]?.total ?? 0;
}
