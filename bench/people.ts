import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { type LoadResult, load } from './support/load.ts';
import { signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const TRADERS = 1_000;
const SIZES = [
  { users: 1_000, entries: 10_000 },
  { users: 100_000, entries: 10_000_000 },
];
const CLIENTS = 2;
const SECONDS = 3;
const FIRST_DAY = '2024-01-01';

/** Short turns: another load on the machine then meets both sizes alike. */
const TURNS = 3;

/** The lists of people and of the audit, small and large: a page may cost at most three times as much. */
export async function benchPeople(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const sides = [];
  for (const [index, size] of SIZES.entries()) {
    const databaseUrl = await benchDatabase(ownerUrl, TRADERS + index);
    // The first start of an installation makes its secret, which one with people refuses to do.
    await (await startApi(databaseUrl, dataDir)).stop();
    console.log(`loading ${size.users} people and ${size.entries} entries`);
    const { provider } = await fill(databaseUrl, size);
    const api = await startApi(databaseUrl, dataDir);
    sides.push({ api, paths: pathsOf(provider) });
  }
  try {
    for (const what of Object.keys(pathsOf('')) as (keyof ReturnType<typeof pathsOf>)[]) {
      const [small, large] = await inTurns(sides, what);
      if (!small || !large) continue;
      const [fast, slow] = [middle(small, 'p50Ms'), middle(large, 'p50Ms')];
      const failures = [...small, ...large].reduce((sum, result) => sum + result.failures, 0);
      report.row(
        what,
        failures > 0
          ? 'FAILED'
          : `p50 ${fast.toFixed(1)} and ${slow.toFixed(1)}, p95 ${middle(small, 'p95Ms').toFixed(1)} and ${middle(large, 'p95Ms').toFixed(1)} ms: ${(slow / fast).toFixed(1)} times`,
        '≤ 3 times',
      );
    }
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

interface Side {
  api: { url: string };
  paths: ReturnType<typeof pathsOf>;
}

/** The results of each side. */
async function inTurns(sides: readonly Side[], what: keyof Side['paths']): Promise<LoadResult[][]> {
  const results: LoadResult[][] = sides.map(() => []);
  // Each time: a token lives for five minutes, less than it takes to load the data.
  const tokens = await Promise.all(sides.map(({ api }) => signIn(api.url, 'super')));
  for (let turn = 0; turn < TURNS; turn++)
    for (const [index, { api, paths }] of sides.entries())
      results[index]?.push(
        await load({
          url: api.url,
          paths: [paths[what]],
          token: tokens[index] ?? '',
          clients: CLIENTS,
          seconds: SECONDS / TURNS,
        }),
      );
  return results;
}

const middle = (results: readonly LoadResult[], figure: 'p50Ms' | 'p95Ms') =>
  results.map((result) => result[figure]).sort((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0;

const pathsOf = (provider: string) => ({
  'people, the first page': '/api/users?limit=25',
  'people, the last of a thousand': '/api/users?limit=25&offset=975',
  'people by a part of their name': '/api/users?limit=25&search=c4ca423',
  'people of a provider': `/api/users?limit=25&provider_id=${provider}`,
  'people who are invited': '/api/users?limit=25&state=invited',
  'audit, the first page': '/api/audit?limit=50',
  'audit of one person': '/api/audit?limit=50&actor_id=person-3',
  'audit of what people did': '/api/audit?limit=50&actor_kind=user',
  'audit of one kind': '/api/audit?limit=50&kind=community',
  'audit of one object': '/api/audit?limit=50&target_kind=trader&target_id=trader-41',
  'audit of one provider': `/api/audit?limit=50&provider_id=${provider}`,
  'audit of a day': `/api/audit?limit=50&from=${FIRST_DAY}&to=${FIRST_DAY}`,
  'audit of a kind on a day': `/api/audit?limit=50&kind=community&from=${FIRST_DAY}&to=${FIRST_DAY}`,
  'the figures of a provider': `/api/providers/${provider}/figures`,
});

/**
 * Fills both lists up to a size. Entries are a minute apart, one in fifty is a person's, and every object has ten. Their
 * hashes are no chain.
 */
async function fill(databaseUrl: string, { users, entries }: (typeof SIZES)[number]) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM provider WHERE name = 'aurora'`);
    const provider = rows[0]?.id ?? '';
    await client.query(
      `WITH added AS (
         INSERT INTO identity."user" (name, email, email_verified)
         SELECT initcap(left(md5(n::text), 7)) || ' ' || initcap(substr(md5(n::text), 8, 6)),
           left(md5(n::text), 12) || '@bench.example', true FROM generate_series(1, $1::int) n
         ON CONFLICT DO NOTHING RETURNING id)
       INSERT INTO identity.user_access (user_id, admin, accepted_at, provider_ids)
       SELECT id, true, CASE WHEN abs(hashtext('invited' || id)) % 5 > 0 THEN now() END, CASE WHEN abs(hashtext(id::text)) % 10 = 0 THEN ARRAY[$2::uuid] ELSE '{}' END FROM added`,
      [users, provider],
    );
    await client.query(
      `INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, after,
         previous_hash, hash)
       SELECT n, $3::timestamptz + n * interval '1 minute',
         CASE WHEN n % 50 = 0 THEN 'user' ELSE 'system' END,
         CASE WHEN n % 50 = 0 THEN 'person-' || n / 50 % 4 ELSE 'worker' END, 'A person',
         (ARRAY['transfer.final', 'trader.changed', 'community.settings_changed', 'invoice.created'])[1 + n % 4],
         (ARRAY['transfer', 'trader', 'community', 'invoice'])[1 + n % 4], 'trader-' || n % ($2::int / 10),
         '{"status":"pending"}',
         CASE WHEN n % 100 = 0 THEN jsonb_build_object('provider_id', $4::text) ELSE '{"status":"connected"}' END,
         sha256(n::text::bytea), sha256((n + 1)::text::bytea)
       FROM generate_series((SELECT coalesce(max(seq), 0) + 1 FROM audit_entry), $2::int) n
       WHERE $1::int > 0`,
      [users, entries, FIRST_DAY, provider],
    );
    await client.query('VACUUM ANALYZE audit_entry');
    await client.query('ANALYZE identity."user", identity.user_access');
    return { provider };
  } finally {
    await client.end();
  }
}
