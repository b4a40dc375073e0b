import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { failed, load } from './support/load.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import { readNames } from './support/read-names.ts';
import type { Report } from './support/report.ts';

/** With about a million invoices, three million shares of them, and 44,000 payouts. */
const TRADERS = 220_000;
const CLIENTS = 2;
const SECONDS = 1.5;

/** What the console reads to show its screens, at their first page and far from it, in the order of its navigation. */
const CALLS = {
  overview: '/api/overview',
  'overview, today': '/api/overview/today',
  attention: '/api/attention?tab=you',
  'attention, far': '/api/attention?tab=you&offset=400',
  traders: '/api/traders?include_aum=true&limit=50&tab=connected',
  'traders, far': '/api/traders?include_aum=true&limit=50&tab=connected&offset=10000',
  'traders of a community': '/api/traders?include_aum=true&limit=50&community_id={community}',
  'traders by a part of a reference': '/api/traders?include_aum=true&limit=50&search=9934',
  communities: '/api/super-admin/communities',
  'a community': '/api/communities/{community}',
  'figures of a community': '/api/communities/{community}/stats',
  'days of a community': '/api/communities/{community}/days?from={from}&to={to}',
  'traders of a community, its page': '/api/communities/{community}/traders?limit=50',
  'wallet of a community': '/api/communities/{community}/wallet-balance',
  providers: '/api/providers',
  'figures of a provider': '/api/providers/{provider}/figures',
  accounts: '/api/accounts?limit=50',
  'accounts, far': '/api/accounts?limit=50&offset=5000',
  'failing accounts': '/api/accounts?limit=50&state=failing',
  pools: '/api/pooled-accounts',
  'groups of invoices': '/api/invoices/admin/groups?limit=10&tab=unpaid',
  'groups of invoices, all': '/api/invoices/admin/groups?limit=10&tab=all',
  'groups of invoices by amount': '/api/invoices/admin/groups?limit=10&tab=unpaid&orderBy=amount',
  'groups of a community': '/api/invoices/admin/groups?limit=10&tab=unpaid&community_id={community}',
  invoices: '/api/invoices/admin/all?limit=50',
  'invoices, overdue': '/api/invoices/admin/all?limit=50&status=pending&is_overdue=true',
  'invoices, far': '/api/invoices/admin/all?limit=50&offset=10000',
  'an invoice': '/api/invoices/{invoice}',
  runs: '/api/invoices/runs?limit=50',
  'to pay out': '/api/super-admin/pending-distributions',
  'to pay out in a community': '/api/super-admin/communities/{community}/pending-distributions',
  'transaction history': '/api/sweep-operations/admin/all?limit=20',
  'transaction history, sums': '/api/sweep-operations/summary',
  'transaction history, far': '/api/sweep-operations/admin/all?limit=20&offset=10000',
  recipients: '/api/super-admin/recipients?limit=50',
  deposits: '/api/admin/bsc-pending-deposits',
  'unmatched payments': '/api/payments/unmatched?limit=50',
  messages: '/api/messages?limit=50',
  'failed messages': '/api/messages?limit=50&outcome=not_delivered',
  subscriptions: '/api/subscriptions',
  people: '/api/users?limit=25',
  audit: '/api/audit?limit=50',
  'a trader': '/api/traders/{trader}',
  'invoices of a trader': '/api/traders/{trader}/invoices',
  'accounts of a trader': '/api/exchanges/trader/{trader}/balances',
  'closed positions of a trader': '/api/traders/{trader}/closed-positions?limit=50',
  'result of a trader by day': '/api/traders/{trader}/pnl-days?from={from}&to={to}',
  'equity of a trader': '/api/traders/{trader}/equity?from={from}&to={to}',
  'search for a reference': '/api/search?q={reference}',
  'search for an amount': '/api/search?q=312.50',
  'search for a name': '/api/search?q=ali',
};

type Persona = 'super' | 'staff' | 'staff-multi';

export interface Answers {
  as: Persona;
  what: string;
  /** For each database; null where it was not answered. */
  times: ({ firstMs: number; p50Ms: number; p95Ms: number; failures: number } | null)[];
}

/** Every list and page at a million invoices, for each kind of person. */
export async function benchLists(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  console.log(`loading ${TRADERS} traders`);
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS, { hasHistory: true });
  for await (const { as, what, times } of askLists([databaseUrl], dataDir)) {
    const [time] = times;
    report.row(`${as}: ${what}`, time ? timesOf(time) : 'FAILED', 'p95 ≤ 60 ms');
  }
}

export const timesOf = ({ firstMs, p50Ms, p95Ms, failures }: NonNullable<Answers['times'][number]>) =>
  `first ${firstMs.toFixed(0)} ms; p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)} ms${failed(failures)}`;

/** Asks for each list and page as each kind of person, of each database in turn. */
export async function* askLists(databaseUrls: string[], dataDir: string): AsyncGenerator<Answers> {
  const sides = [];
  for (const databaseUrl of databaseUrls) {
    await openBooks(databaseUrl);
    sides.push({ named: await readNames(databaseUrl), api: await startApi(databaseUrl, dataDir) });
  }
  try {
    for (const as of ['super', 'staff', 'staff-multi'] as const)
      for (const [what, path] of Object.entries(CALLS)) {
        const times: Answers['times'] = [];
        for (const { named, api } of sides) {
          const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(named[name] ?? ''),
          );
          const time = await measure(api, as, filled);
          if (time !== 'refused') times.push(time);
        }
        // Super admins alone may read some of them.
        if (times.length > 0) yield { as, what, times };
      }
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

async function measure({ url }: RunningApi, as: Persona, path: string) {
  const token = await signIn(url, as);
  const startedAt = performance.now();
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  const firstMs = performance.now() - startedAt;
  if (answer.status === 403) return 'refused' as const;
  if (answer.status !== 200) return null;
  const { p50Ms, p95Ms, failures } = await load({
    url,
    paths: [path],
    token,
    clients: CLIENTS,
    seconds: SECONDS,
  });
  return { firstMs, p50Ms, p95Ms, failures };
}

/** The books of nearly all traders are open in a real installation: shares of the others are held. */
async function openBooks(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    await client.query('UPDATE trader SET books_opened_at = created_at WHERE books_opened_at IS NULL');
    await client.query('VACUUM ANALYZE trader, invoice, payable');
  } finally {
    await client.end();
  }
}
