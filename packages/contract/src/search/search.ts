import { z } from 'zod';
import { exchangeBotCalls, exchangeBotSaleCalls } from '../bots/index.ts';
import { communityCalls } from '../communities/index.ts';
import { type Entry, entries, ok } from '../entry.ts';
import { decimalString, id, queryInteger, searched, timestamp } from '../fields.ts';
import { invoiceCalls } from '../invoices/index.ts';
import { payoutCalls } from '../payouts/index.ts';
import { identityCalls } from '../people/index.ts';
import { poolCalls } from '../pools/index.ts';
import { providerCalls } from '../providers/index.ts';
import { traderCalls } from '../traders/index.ts';

/** What can be found, in the order in which it is shown. */
export const SEARCH_KINDS = [
  'trader',
  'community',
  'provider',
  'pool',
  'invoice',
  'payout',
  'person',
  'bot',
  'order',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const calls = {
  ...exchangeBotCalls,
  ...exchangeBotSaleCalls,
  ...traderCalls,
  ...communityCalls,
  ...providerCalls,
  ...poolCalls,
  ...invoiceCalls,
  ...payoutCalls,
  ...identityCalls,
};

/** The call that lists each kind: a caller that may not make it finds none of that kind. */
const LISTED_BY = {
  trader: 'GET /api/traders',
  community: 'GET /api/communities',
  // Staff see the names of providers, and have no page of them.
  provider: 'PUT /api/providers/{id}',
  pool: 'GET /api/pooled-accounts',
  invoice: 'GET /api/invoices/admin/all',
  payout: 'GET /api/sweep-operations/admin/all',
  person: 'GET /api/users',
  bot: 'GET /api/exchange-bots',
  order: 'GET /api/exchange-bot/{id}/sales',
} as const satisfies Record<SearchKind, keyof typeof calls>;

export const searchEntry = (kind: SearchKind): Entry => calls[LISTED_BY[kind]];

const found = z.object({
  kind: z.enum(SEARCH_KINDS),
  id,
  /** Its name for people; of an invoice or payout, the name of the trader or recipient. */
  title: z.string(),
  /** What distinguishes it from others of that name. */
  note: z.string().nullable(),
  /** USDT: what a trader owes, what an invoice or a payout is about; null: nothing, or there is no such sum. */
  amount: decimalString.nullable(),
  /** Of an invoice or a payout: its state, and when it was made. */
  status: z.string().nullable(),
  at: timestamp.nullable(),
  /** Whether the text names it whole, by a name, an id, an address or a hash. */
  is_exact: z.boolean(),
});
export type Found = z.infer<typeof found>;

export const searchCalls = entries({
  'GET /api/search': {
    summary:
      'What a text names, in scope: parts of names, Telegram names and ids, e-mail addresses, reference numbers, exchange accounts, bots; whole ids, addresses, hashes and amounts. Exact matches first, then by kind',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    query: z.strictObject({
      q: searched,
      limit: queryInteger(1, 20).optional().describe('of each kind; 5 when omitted'),
    }),
    answer: ok(z.array(found)),
    errors: [],
  },
});
