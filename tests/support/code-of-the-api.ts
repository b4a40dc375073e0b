import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Runs as the user of the API, with its environment and nothing else, and says what it got at. Arguments: the project, the
// process and the folder of the worker.
const [project = '', workerPid = '', workerFolder = ''] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(project, 'package.json')));
const pg = require('pg') as typeof import('pg');

const got: Record<string, boolean> = {};
async function attempt(what: string, work: () => unknown): Promise<void> {
  got[what] = await Promise.resolve()
    .then(work)
    .then(
      (result) => result !== false,
      () => false,
    );
}

const url = new URL(process.env.DATABASE_URL ?? '');
const asLogin = async (address: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    let rows: object[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};
const ours = (...statements: string[]) => asLogin(url.href, ...statements);
const withLogin = (name: string, password: string) => {
  const other = new URL(url);
  other.username = name;
  other.password = password;
  return other.href;
};

await attempt('the seed in the environment', () => process.env.WALLET_SEED !== undefined);
await attempt('the key of audit entries of workers', () => process.env.AUDIT_WORKER_KEY !== undefined);
await attempt('the key that opens keys of pools', () => process.env.POOL_KEYS_IDENTITY !== undefined);
await attempt('the stored keys of pools', () => ours('SELECT ciphertext FROM pool_key'));
await attempt('the login of workers in the environment', () => process.env.DATABASE_WORKER_URL !== undefined);
await attempt('the environment of the worker', () => readFileSync(`/proc/${workerPid}/environ`));
await attempt('the memory of the worker', () => readFileSync(`/proc/${workerPid}/maps`));
await attempt('open files of the worker', () => readdirSync(`/proc/${workerPid}/fd`));
await attempt('signals to the worker', () => process.kill(Number(workerPid), 0));
await attempt('the folder of the worker', () => readdirSync(workerFolder));
await attempt('a file in the folder of the worker', () => writeFileSync(join(workerFolder, 'planted'), ''));
await attempt('the programs', () => writeFileSync(join(project, 'apps/server/src/planted.ts'), ''));
await attempt('the compiled programs', () =>
  writeFileSync(join(project, '.cache/compiled-modules/planted'), ''),
);
await attempt('the login of workers, with the password of the API', () =>
  asLogin(withLogin('copydesk_worker_login', url.password), 'SELECT 1'),
);
await attempt('the owner, with the password of the API', () =>
  asLogin(withLogin('copydesk_owner', url.password), 'SELECT 1'),
);
await attempt('the role of workers', () => ours('SET ROLE copydesk_worker'));
await attempt('the right to be given it', () => ours('GRANT copydesk_worker TO CURRENT_USER'));
await attempt('a transfer', () => ours('INSERT INTO transfer DEFAULT VALUES'));
await attempt('a deposit', () => ours('INSERT INTO deposit DEFAULT VALUES'));
await attempt('a heartbeat of a worker', () =>
  ours('INSERT INTO worker_heartbeat (worker_id) VALUES (gen_random_uuid())'),
);
await attempt('a job for a worker', () =>
  ours(`INSERT INTO pgboss.job (name, data) SELECT name, '{}' FROM pgboss.queue`),
);
await attempt('a scheduled job, by the function for vendors', () =>
  ours(`SELECT app.request_sync('scheduled', 'job', 'begin-invoicing', NULL)`),
);
await attempt('a schedule of a worker', () =>
  ours(`UPDATE pgboss.schedule SET data = '{"run": "anything"}'`),
);
await attempt('a queue', () => ours(`SELECT pgboss.create_queue('ours', '{}')`));
await attempt('the rows of the audit', () => ours('UPDATE audit_entry SET actor_id = actor_id'));
await attempt('the passwords of the cluster', () => ours('SELECT rolpassword FROM pg_authid'));
await attempt(
  'statements of other sessions',
  async () =>
    (await ours("SELECT FROM pg_stat_activity WHERE usename <> session_user AND query NOT LIKE '<insuff%'"))
      .length > 0,
);
await attempt('waking a worker', () => ours(`NOTIFY copydesk_work, 'sign everything'`));
await attempt('hearing what wakes a worker', () => ours('LISTEN copydesk_work'));
await attempt('the key of secrets of exchanges', () => process.env.CREDENTIALS_KEY !== undefined);
await attempt('the secret that sessions are signed with', () => process.env.BETTER_AUTH_SECRET !== undefined);
await attempt('the key of its own audit entries', () => process.env.AUDIT_KEY !== undefined);
console.log(JSON.stringify(got));
