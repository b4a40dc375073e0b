import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../../../tests/support/bare-cluster.ts';
import { COMPILE_CACHE } from '../../../../../../tests/support/compile-cache.ts';
import { shortenWaits } from '../../../../../../tests/support/short-waits.ts';
import { createClient } from '../connection/connection.ts';
import { createDatabase } from './create-database.ts';
import { watchLongWork } from './long-work.ts';

// Patience, not a measure: each test runs whole programs.
vi.setConfig({ testTimeout: 240_000 });
shortenWaits({ workEveryMs: 200 });

// A managed server: its administrator is no superuser. And an administrator who has set what is in the way.
let cluster: BareCluster;
beforeAll(async () => {
  if (!SYSTEM_POSTGRES) return;
  cluster = await startBareCluster(SYSTEM_POSTGRES);
  await cluster.asAdmin(
    `CREATE ROLE dba LOGIN CREATEROLE CREATEDB PASSWORD 'dba'`,
    `CREATE ROLE weak LOGIN PASSWORD 'weak'`,
  );
});
afterAll(() => cluster?.stop());

const LOGINS = {
  DATABASE_OWNER_URL: 'copydesk_owner',
  DATABASE_URL: 'copydesk_login',
  DATABASE_WORKER_URL: 'copydesk_worker_login',
  DATABASE_OPERATOR_URL: 'copydesk_operator_login',
};
const environmentOf = ({ urlOf }: BareCluster, admin: string): Record<string, string> => ({
  DATABASE_ADMIN_URL: urlOf(admin, admin, 'postgres'),
  ...Object.fromEntries(
    Object.entries(LOGINS).map(([name, login]) => [name, urlOf(login, 'secret', 'copydesk')]),
  ),
  AUDIT_KEY: 'the audit key of a database of these tests',
  CREDENTIALS_KEY: 'a master key for a database of these tests',
  CREDENTIALS_INDEX_KEY: 'an index key for a database of these tests',
});

function run(program: string, args: string[], env: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../../bin/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { env: { ...COMPILE_CACHE, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function rolesOf(of: BareCluster): Promise<string[]> {
  const client = new pg.Client({ connectionString: of.adminUrl });
  await client.connect();
  const { rows } = await client
    .query<{ rolname: string }>(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'copydesk%' ORDER BY 1`)
    .finally(() => client.end());
  return rows.map(({ rolname }) => rolname);
}

const onServer = test.runIf(SYSTEM_POSTGRES);

onServer('what an administrator may not do is one line, and nothing is made', async () => {
  const weak = await run('create-database', [], environmentOf(cluster, 'weak'));
  expect(weak).toEqual({
    code: 78,
    output: expect.stringMatching(
      /^DATABASE_ADMIN_URL: weak lacks CREATEROLE and CREATEDB\. As an administrator: ALTER ROLE "weak" CREATEROLE CREATEDB;.*\n$/,
    ),
  });
  const withBackup = await run('create-database', [], {
    ...environmentOf(cluster, 'dba'),
    DATABASE_BACKUP_URL: cluster.urlOf('copydesk_backup', 'secret', 'copydesk'),
  });
  expect(withBackup).toEqual({
    code: 78,
    output: expect.stringMatching(
      /^DATABASE_BACKUP_URL: dba is no superuser .* Leave DATABASE_BACKUP_URL out/,
    ),
  });
  await cluster.asAdmin('ALTER ROLE dba SET default_transaction_read_only = on');
  const readOnly = await run('create-database', [], environmentOf(cluster, 'dba'));
  expect(readOnly).toEqual({
    code: 78,
    output: expect.stringMatching(/^DATABASE_ADMIN_URL: sessions are read-only .*RESET default_transaction/),
  });
  await cluster.asAdmin('ALTER ROLE dba RESET ALL');
  expect(await rolesOf(cluster)).toEqual([]);
});

onServer(
  'a role that creates roles and databases is enough, and a second run finishes the first',
  async () => {
    const env = environmentOf(cluster, 'dba');
    // Cut off before the first migration.
    const { made, isResumed } = await createDatabase({
      adminUrl: env.DATABASE_ADMIN_URL ?? '',
      ownerUrl: env.DATABASE_OWNER_URL ?? '',
      applicationUrl: env.DATABASE_URL ?? '',
      workerUrl: env.DATABASE_WORKER_URL,
    });
    expect({ made: made.length, isResumed }).toEqual({ made: 6, isResumed: false });
    // Killed after it had made the database, and before it left its owner.
    const dba = new pg.Client({ connectionString: env.DATABASE_ADMIN_URL ?? '' });
    await dba.connect();
    await dba.query('GRANT copydesk_owner TO dba').finally(() => dba.end());
    // And settings of roles that would end it, or send it elsewhere.
    await cluster.asAdmin(
      "ALTER ROLE copydesk_owner SET search_path = 'x'",
      'ALTER ROLE copydesk_owner SET row_security = off',
      "ALTER ROLE copydesk_owner SET statement_timeout = '100ms'",
      "ALTER ROLE copydesk_owner SET idle_in_transaction_session_timeout = '1ms'",
    );
    const finished = await run('create-database', [], env);
    expect(finished).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Finished the database copydesk. New roles: copydesk_operator_login. Applied \d+ migrations.\n$/,
      ),
    });
    const again = await run('create-database', [], env);
    expect(again).toEqual({ code: 1, output: expect.stringContaining('exists already, and nothing was') });
    const client = new pg.Client({ connectionString: cluster.adminUrl });
    await client.connect();
    const { rows } = await client
      .query(`SELECT pg_has_role('dba', 'copydesk_owner', 'MEMBER') AS "isMember"`)
      .finally(() => client.end());
    expect(rows).toEqual([{ isMember: false }]);
  },
);

onServer(
  'settings of roles do not change what programs do, and the doctor says how to end each',
  async () => {
    const env = environmentOf(cluster, 'dba');
    for (const login of ['copydesk_login', 'copydesk_worker_login', 'copydesk_operator_login'])
      await cluster.asAdmin(
        `ALTER ROLE ${login} SET search_path = 'x'`,
        `ALTER ROLE ${login} SET row_security = off`,
        `ALTER ROLE ${login} SET lock_timeout = '1ms'`,
        `ALTER ROLE ${login} SET timezone = 'Asia/Tokyo'`,
      );
    await cluster.asAdmin('ALTER ROLE copydesk_login SET role = copydesk_app');
    await cluster.asAdmin(
      "ALTER DATABASE copydesk SET datestyle = 'German'",
      'ALTER ROLE copydesk_owner NOCREATEROLE',
    );
    expect(await run('admin', ['list'], env)).toEqual({ code: 0, output: '' });
    const { code, output } = await run('admin', ['doctor'], env);
    expect(code).toBe(1);
    for (const line of [
      `DATABASE_URL: sessions begin with search_path = x. As an administrator of the server: ALTER ROLE "copydesk_login" RESET search_path;`,
      `DATABASE_URL: sessions begin with role = copydesk_app. As an administrator of the server: ALTER ROLE "copydesk_login" RESET role;`,
      `DATABASE_WORKER_URL: sessions begin with row_security = off. As an administrator of the server: ALTER ROLE "copydesk_worker_login" RESET row_security;`,
      `DATABASE_OWNER_URL: sessions begin with DateStyle = German, DMY. As an administrator of the server: ALTER DATABASE "copydesk" RESET DateStyle;`,
      `DATABASE_OWNER_URL: copydesk_owner lacks CREATEROLE. As an administrator of the server: ALTER ROLE "copydesk_owner" CREATEROLE;`,
    ])
      expect(output).toContain(`WRONG\t${line}\n`);
    expect(output).not.toMatch(/^\s+at /m);

    // As it says.
    await cluster.asAdmin(
      ...Object.values(LOGINS).map((login) => `ALTER ROLE ${login} RESET ALL`),
      'ALTER DATABASE copydesk RESET ALL',
      'ALTER ROLE copydesk_owner CREATEROLE',
    );
    expect((await run('admin', ['doctor'], env)).output).toContain(
      'ok\tEvery address of the database connects',
    );
  },
);

onServer(
  'where the server says nothing of its sessions, a long statement is not taken for a lost one',
  async () => {
    const client = createClient({ connectionString: cluster.adminUrl }, Number.POSITIVE_INFINITY);
    await client.connect();
    await client.query('SET track_activities = off');
    await watchLongWork(client, cluster.adminUrl);
    expect((await client.query('SELECT 1 AS n FROM pg_sleep(1.5)')).rows).toEqual([{ n: 1 }]);
    await client.end();
  },
);

/** What docs/operations/set-up.md has for a server whose administrator makes the roles by hand. */
function documentedStatements(): string[] {
  const document = readFileSync(
    new URL('../../../../../../docs/operations/set-up.md', import.meta.url),
    'utf8',
  );
  const [, text = ''] = /^```sql managed\n([\s\S]*?)^```$/m.exec(document) ?? [];
  return text
    .replaceAll("'...'", "'secret'")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

onServer('what the documents have a DBA make by hand is enough for migrations, API and worker', async () => {
  const managed = await startBareCluster(SYSTEM_POSTGRES ?? '');
  try {
    const statements = documentedStatements();
    expect(statements.length).toBeGreaterThan(5);
    await managed.asAdmin(`CREATE ROLE dba LOGIN CREATEROLE CREATEDB PASSWORD 'dba'`);
    const client = new pg.Client({ connectionString: managed.urlOf('dba', 'dba', 'postgres') });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
    const { DATABASE_ADMIN_URL: _, ...env } = environmentOf(managed, 'dba');
    expect(await run('migrate', [], env)).toEqual({ code: 0, output: expect.stringMatching(/^Applied: /) });
    expect(await run('admin', ['list'], env)).toEqual({ code: 0, output: '' });
    const { output } = await run('admin', ['doctor'], env);
    expect(output).toContain('ok\tEvery address of the database connects');
  } finally {
    await managed.stop();
  }
});
