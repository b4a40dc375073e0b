import { POSITION_SIDES } from '@copydesk/domain/trading';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, day, decimalString, id, line, orderDir, paging, timestamp } from '../fields.ts';

/** A closed position of a trader. */
export const historyPosition = z.object({
  id,
  symbol: z.string(),
  side: z.enum(POSITION_SIDES),
  entry_price: decimalString.nullable(),
  exit_price: decimalString.nullable(),
  leverage: decimalString.nullable(),
  /** USD; null: unknown. */
  closed_pnl: decimalString.nullable(),
  /** Whether closed_pnl is net of trading fees. */
  fees_included: z.boolean(),
  exchange: z.string(),
  /** Time of closing. */
  date: timestamp,
  created_at: timestamp,
  acc_uid: z.string(),
});
export type HistoryPosition = z.infer<typeof historyPosition>;

const POSITION_ORDERS = ['closed_at', 'symbol', 'closed_pnl'] as const;

const historyFilters = {
  from: day.optional().describe('first day, UTC'),
  to: day.optional().describe('last day, UTC'),
  symbol: line.optional(),
  acc_uid: line.optional(),
  orderBy: z.enum(POSITION_ORDERS).optional(),
  orderDir: orderDir.optional(),
};

const range = z.strictObject({ from: day, to: day });

const TRADER_EVENT_KINDS = ['invoice', 'payment'] as const;
/** What happened to a trader on a day (UTC), one entry a kind. */
const traderEvent = z.object({
  day,
  kind: z.enum(TRADER_EVENT_KINDS),
  /** Invoices that were issued and not cancelled, or payments. */
  count: z.int(),
  /** USDT, of all of them: what was invoiced, or what was paid on invoices, without tips. */
  amount: decimalString,
  /** The invoice; null where they are several. */
  invoice_id: id.nullable(),
});
export type TraderEvent = z.infer<typeof traderEvent>;

export const traderHistoryCalls = entries({
  'GET /api/traders/{id}/closed-positions': {
    summary: 'Closed positions of a trader: a page, with count and net profit of all matches',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: z.strictObject({ ...historyFilters, ...paging }),
    answer: page(historyPosition, {
      total: z.int(),
      /** Sum of all known closed_pnl among the matches, USD. */
      net_profit: decimalString,
      /** Number of matches with unknown profit in USD. */
      unknown_profit: z.int(),
    }),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/closed-positions/export': {
    summary: 'The filtered closed positions of a trader as CSV, streamed',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    params: byId,
    query: z.strictObject(historyFilters),
    answer: { stream: 'text/csv' },
    errors: ['not_found'],
    perMinute: 10,
  },
  'GET /api/traders/{id}/equity': {
    summary:
      'Equity of a trader at the end of each day (UTC) in a range, where recorded, with the invoices and payments of these days',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: range,
    answer: page(z.object({ day, equity: decimalString }), {
      /** Newest first, at most 1,000. Services need `invoices:read` for them. */
      events: z.array(traderEvent),
    }),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/pnl-days': {
    summary: 'Realised PnL of a trader by day (UTC) in a range; days without a closed position are omitted',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: range,
    answer: ok(
      z.array(
        z.object({
          day,
          /** Sum of known profits; null when there are none. */
          closed_pnl: decimalString.nullable(),
          positions: z.int(),
          unknown_profit: z.int(),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/audit': {
    summary: 'Changes to a trader, newest first',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(
      z.object({
        at: timestamp,
        actor_name: z.string(),
        actor_kind: z.enum(['user', 'service', 'system']),
        action: z.string(),
        before: z.record(z.string(), z.unknown()).nullable(),
        after: z.record(z.string(), z.unknown()).nullable(),
      }),
      { total: z.int() },
    ),
    errors: ['not_found'],
  },
});
