import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { reportInTurns, type Side } from './support/in-turns.ts';
import { startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const TRADERS = 1_000;
const SIZES = [
  { users: 1_000, entries: 10_000 },
  { users: 100_000, entries: 10_000_000 },
];
const FIRST_DAY = '2024-01-01';

/** The lists of people and of the audit, small and large: a page may cost at most three times as much. */
export async function benchPeople(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const sides: Side[] = [];
  for (const [index, size] of SIZES.entries()) {
    const databaseUrl = await benchDatabase(ownerUrl, TRADERS + index);
    // The first start of an installation makes its secret, which one with people refuses to do.
    await (await startApi(databaseUrl, dataDir)).stop();
    console.log(`loading ${size.users} people and ${size.entries} entries`);
    const { provider } = await fill(databaseUrl, size);
    sides.push({ api: await startApi(databaseUrl, dataDir), paths: pathsOf(provider) });
  }
  const [small, large] = sides as [Side, Side];
  try {
    await reportInTurns({ small, large }, report, '≤ 3 times');
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

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
    await client.query(
      `INSERT INTO audit_seal (position, seq, hash) SELECT seq, seq, hash FROM audit_entry
       WHERE hash IS NOT NULL AND NOT EXISTS (SELECT FROM audit_seal) ORDER BY seq DESC LIMIT 1`,
    );
    await client.query("SELECT setval('audit_number', max(seq)) FROM audit_entry");
    await client.query('VACUUM ANALYZE audit_entry');
    await client.query('ANALYZE identity."user", identity.user_access');
    return { provider };
  } finally {
    await client.end();
  }
}
