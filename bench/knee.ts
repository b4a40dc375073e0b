import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createCrowd, type Screen } from './support/crowd.ts';
import { benchDatabase } from './support/databases.ts';
import { signIn, startApi } from './support/product.ts';
import { readNames } from './support/read-names.ts';
import type { Report } from './support/report.ts';

const TRADERS = 100_000;
const CHANGES_PER_SECOND = 1;
const ARRIVAL_SECONDS = 14;
const SECONDS = 12;
const SLOW_MS = 500;
const STEP = 1.5;
const FIRST = 250;

const SCREENS: readonly Screen[] = [
  { share: 25, topic: 'trader', paths: ['/api/traders?include_aum=true&limit=50&tab=connected'] },
  { share: 10, topic: 'trader', paths: ['/api/traders?include_aum=true&limit=50&tab=connected&offset=200'] },
  { share: 10, topic: 'trader', paths: ['/api/traders?include_aum=true&limit=50&search=ali'] },
  {
    share: 20,
    topic: 'trader',
    paths: [
      '/api/traders/{trader}',
      '/api/traders/{trader}/invoices',
      '/api/exchanges/trader/{trader}/balances',
      '/api/traders/{trader}/closed-positions?limit=50',
      '/api/traders/{trader}/equity?from={from}&to={to}',
    ],
  },
  { share: 15, topic: 'invoice', paths: ['/api/invoices/admin/groups?limit=10&tab=unpaid'] },
  { share: 5, topic: 'invoice', paths: ['/api/invoices/admin/all?limit=50&status=pending&is_overdue=true'] },
  { share: 5, paths: ['/api/messages?limit=50'] },
  { share: 5, paths: ['/api/accounts?limit=50'] },
  { share: 5, paths: ['/api/search?q={reference}'] },
];

/**
 * How many people one API serves: more and more of them look at screens while a trader changes every second, until one
 * answer in twenty takes more than half a second, or one is refused.
 */
export async function benchKnee(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS, { hasHistory: true });
  const names = await readNames(databaseUrl);
  const screens = SCREENS.map((screen) => ({
    ...screen,
    paths: screen.paths.map((path) => path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')),
  }));
  const api = await startApi(databaseUrl, dataDir);
  const tokens = await Promise.all(
    ['super', 'staff', 'staff-multi'].map((persona) => signIn(api.url, persona)),
  );
  const crowd = createCrowd({ url: api.url, screens, tokens });
  const changes = await startChanges(databaseUrl);
  try {
    let served = 0;
    for (let people = FIRST; ; people = Math.round(people * STEP)) {
      crowd.grow(people);
      await sleep(ARRIVAL_SECONDS * 1000);
      crowd.take();
      await sleep(SECONDS * 1000);
      const { times, failures } = crowd.take();
      const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
      report.row(
        `${people} people at 100,000 traders, a change every second`,
        `p50 ${at(0.5)}, p95 ${at(0.95)} ms, ${Math.round(times.length / SECONDS)} answers a second, ${failures} failed; API ${Math.round(api.memory().nowMb)} MB`,
        'p95 ≤ 500 ms',
      );
      if (failures > 0 || at(0.95) > SLOW_MS) break;
      served = people;
    }
    report.row('people whom one API serves, beside database and load on two cores', String(served));
  } finally {
    crowd.leave();
    await changes.stop();
    await api.stop();
  }
}

async function startChanges(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  const timer = setInterval(() => {
    void client.query(`INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
      SELECT 'trader', t.id, t.id, ARRAY(SELECT provider_id FROM trader_provider p WHERE p.trader_id = t.id)
      FROM trader t TABLESAMPLE SYSTEM (0.1) LIMIT 1`);
  }, 1_000 / CHANGES_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await client.end();
    },
  };
}
