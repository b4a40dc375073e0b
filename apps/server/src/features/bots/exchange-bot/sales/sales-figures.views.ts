import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../../platform/db/database.ts';
import { countSubscribers } from './sales.views.ts';

type Figures = Omit<CallAnswer<'GET /api/exchange-bot/{id}/sales/figures'>['data'], 'community_percentage'>;

const DAY_MS = 86_400_000;

interface Row {
  day: string | null;
  plan_id: string | null;
  plan_name: string | null;
  code: string | null;
  grouping: number;
  sold: number;
  units: string;
  discount: string;
}

/** Bits of `grouping`: the columns that a sum leaves out. */
const SUMS = { all: 0b111, day: 0b011, plan: 0b101, coupon: 0b110 };

/** The first of the last days, today included, of UTC. */
export const startOfDays = (days: number, now: Date) =>
  new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);

/** The paid orders `s` of a bot from a day on. @param botId an id, or a column with one */
export const soldSince = (botId: string | RawBuilder<unknown>, from: string) => sql`exchange_bot_sale s
  WHERE s.bot_id = ${botId} AND s.sold_at >= ${`${from}T00:00:00Z`}::timestamptz`;

/** What a bot has sold in the last days. */
export async function readFigures(
  tx: AnyTx,
  botId: string,
  { days = 30, now }: { days?: number | undefined; now: Date },
): Promise<Figures> {
  const from = startOfDays(days, now);
  const { rows } = await sql<Row>`
    WITH sold AS MATERIALIZED (
      SELECT app.utc_day(s.sold_at) AS day, s.plan_id, s.coupon_id, s.price_units - s.discount_units AS units,
        s.discount_units
      FROM ${soldSince(botId, from)}),
    summed AS (
      SELECT day, plan_id, coupon_id, grouping(day, plan_id, coupon_id) AS grouping, count(*)::int AS sold,
        coalesce(sum(units), 0)::text AS units, coalesce(sum(discount_units), 0)::text AS discount
      FROM sold GROUP BY GROUPING SETS ((), (day), (plan_id), (coupon_id)))
    SELECT to_char(m.day, 'YYYY-MM-DD') AS day, m.plan_id, p.name AS plan_name, c.code, m.grouping, m.sold, m.units,
      m.discount
    FROM summed m LEFT JOIN exchange_bot_plan p ON p.id = m.plan_id
    LEFT JOIN exchange_bot_coupon c ON c.id = m.coupon_id
    ORDER BY m.day, m.units::numeric DESC, p.name, c.code`.execute(tx.sql);
  const of = (sum: keyof typeof SUMS) => rows.filter(({ grouping }) => grouping === SUMS[sum]);
  const part = ({ sold, units }: Pick<Row, 'sold' | 'units'>) => ({
    sold,
    amount: unitsToDecimal(BigInt(units)),
  });
  return {
    from,
    total: part(of('all')[0] ?? { sold: 0, units: '0' }),
    days: of('day').map((row) => ({ day: row.day ?? from, ...part(row) })),
    plans: of('plan').flatMap((row) =>
      row.plan_id === null ? [] : [{ plan_id: row.plan_id, plan_name: row.plan_name ?? '', ...part(row) }],
    ),
    // Orders without a coupon are a group as well.
    coupons: of('coupon').flatMap((row) =>
      row.code === null
        ? []
        : [{ code: row.code, ...part(row), discount: unitsToDecimal(BigInt(row.discount)) }],
    ),
    subscribers: await countSubscribers(tx, botId),
  };
}
