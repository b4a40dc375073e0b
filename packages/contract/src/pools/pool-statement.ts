import { HARVEST_STATUSES } from '@copydesk/domain/catalogue';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, decimalString, id, timestamp } from '../fields.ts';
import { poolMember } from './pools.ts';

/** What a trader has in the pool of the community, and how it came about. Amounts are USDT. */
const statement = z.object({
  pool: z.object({
    id,
    community: z.object({ id, name: z.string() }),
    status: z.enum(HARVEST_STATUSES),
    is_active: z.boolean(),
  }),
  member: poolMember,
  /** They add up: opening balance + deposited + results - fees - withdrawn = virtual balance. */
  totals: z.object({
    /** Brought in with imported books; 0 for members who paid in themselves. */
    opening_balance: decimalString,
    deposited: decimalString,
    results: decimalString,
    fees: decimalString,
    withdrawn: decimalString,
    virtual_balance: decimalString,
  }),
  /** The latest cycles with a result, newest first. */
  cycles: z.array(
    z.object({
      cycle_number: z.int(),
      valued_at: timestamp,
      /** The virtual balance that shared the result. */
      opening: decimalString,
      result: decimalString,
      fee: decimalString,
      /** Losses carried on after it. */
      carry: decimalString,
      closing: decimalString,
      invoice_id: id.nullable(),
    }),
  ),
  cycle_count: z.int(),
});
export type PoolStatement = z.infer<typeof statement>;

export const poolStatementCalls = entries({
  'GET /api/traders/{id}/pool': {
    summary: 'What a trader has in a pool, cycle by cycle; null: the trader is no member of one',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    params: byId,
    answer: ok(statement.nullable()),
    errors: ['not_found'],
  },
});
