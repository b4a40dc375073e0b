import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import pg from 'pg';
import { type Attempt, attemptsOnFunction, attemptsOnTable } from './sql-attempts.ts';
import { readFunctions, readTables } from './sql-catalogue.ts';
import { SCENARIOS } from './sql-scenarios.ts';
import { fillWorld } from './sql-world.ts';

/** How a person who has the API's login speaks to the database. */
export type SqlMode = 'in the role of the API' | 'as the login, which inherits the role';

export interface SqlOptions {
  /** Of a filled database. Rows for empty tables are made with it, where that can be. */
  ownerUrl: string;
  /** The same database with the API's login. */
  applicationUrl: string;
  mode: SqlMode;
}

export interface SqlResult {
  attempts: number;
  /** By privilege, and by a rule of a trigger or policy. */
  refused: number;
  /** A constraint or the type of a value ended them. */
  invalid: number;
  /** They ran, and no row was changed by them. */
  idle: number;
  /** What was done, as `<table or function>: <act>`. */
  possible: Set<string>;
  /** Acts of which every attempt was ended by its values: whether they are possible is not known. */
  unproven: string[];
  /** Tables in which no row could be made: their updates were not tried. */
  empty: string[];
  /** Rows of the world that the schema refused. */
  outdated: string[];
  /** Scenarios that went through. */
  breaches: string[];
  scenarios: number;
}

/** What PostgreSQL says of values, as opposed to rights. */
const INVALID = /^(22|23502|23503|23505|23514|23001|23P01|42|0A|428|P0002|54)/;
const REFUSED = '42501';
const REFERRED = /^23(001|503)$/;
/** As after the start of a worker. */
const NOTED_BY_A_WORKER = `
  WITH service AS (INSERT INTO identity.sign_in_service (kind, noted_at) VALUES ('embedded', now()) ON CONFLICT DO NOTHING)
  INSERT INTO platform_setting_default (name, value, noted_at)
  SELECT key, value, now() FROM jsonb_each($1::jsonb) ON CONFLICT DO NOTHING`;

/** Tries every statement that the catalogue gives, each in a savepoint of a transaction that is rolled back. */
export async function runSql({ ownerUrl, applicationUrl, mode }: SqlOptions): Promise<SqlResult> {
  const owner = await connect(ownerUrl);
  const client = await connect(applicationUrl);
  const result: SqlResult = {
    ...{ attempts: 0, refused: 0, invalid: 0, idle: 0, scenarios: 0 },
    ...{ possible: new Set(), unproven: [], empty: [], breaches: [], outdated: [] },
  };
  const outcomes = new Map<string, Set<Outcome>>();
  try {
    await owner.query("SELECT set_config('copydesk.scope', 'all', false)");
    await owner.query(NOTED_BY_A_WORKER, [JSON.stringify(SETTING_DEFAULTS)]);
    result.outdated = await fillWorld(owner);
    const tables = await readTables(owner);
    const filled = new Set<string>();
    // Rows that refer to others can be made once those are.
    for (let pass = 0; pass < 3; pass += 1)
      for (const table of tables)
        if (!filled.has(table.name) && (await hasRow(owner, table.name, attemptsOnTable(table, false)[0])))
          filled.add(table.name);
    result.empty = tables.map(({ name }) => name).filter((name) => !filled.has(name));

    await begin(client, mode);
    const attempts = tables.flatMap((table) => attemptsOnTable(table, filled.has(table.name)));
    const calls = (await readFunctions(owner)).flatMap(attemptsOnFunction);
    const chosen = [...attempts, ...calls];
    for (const attempt of chosen) {
      const outcome = await tryOne(client, attempt);
      const key = `${attempt.on}: ${attempt.act}`;
      result.attempts += 1;
      if (outcome === 'possible') result.possible.add(key);
      else result[outcome] += 1;
      outcomes.set(key, (outcomes.get(key) ?? new Set()).add(outcome));
    }
    await client.query('ROLLBACK');
    for (const [key, found] of outcomes)
      if (found.has('invalid') && !found.has('possible') && !found.has('refused')) result.unproven.push(key);
    for (const scenario of SCENARIOS) {
      result.scenarios += 1;
      await begin(client, mode);
      if (await goesThrough(client, scenario.steps)) result.breaches.push(scenario.name);
      await client.query('ROLLBACK');
    }
    return result;
  } finally {
    await Promise.all([client.end(), owner.end()]);
  }
}

type Outcome = 'possible' | 'refused' | 'invalid' | 'idle';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function begin(client: pg.Client, mode: SqlMode): Promise<void> {
  await client.query('BEGIN');
  if (mode === 'in the role of the API')
    await client.query("SELECT set_config('role', 'copydesk_app', true)");
  await client.query(
    "SELECT set_config('copydesk.scope', 'all', true), set_config('statement_timeout', '5s', true), set_config('lock_timeout', '1s', true)",
  );
}

async function hasRow(owner: pg.Client, table: string, insert: Attempt | undefined): Promise<boolean> {
  const count = async () => (await owner.query(`SELECT FROM ${table} LIMIT 1`)).rowCount === 1;
  if (await count()) return true;
  await owner.query(insert?.statement ?? '').catch(() => {});
  return count();
}

/** A call may have written any table; of the database's own functions, running is enough. */
async function tryOne(client: pg.Client, { on, act, statement }: Attempt): Promise<Outcome> {
  await client.query('SAVEPOINT attempt');
  try {
    const isCall = act === 'CALL';
    const before = isCall ? await writesOf(client) : 0;
    const { rowCount } = await client.query(statement);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    if (isCall)
      return on.startsWith('pg_catalog.') || (await writesOf(client)) > before ? 'possible' : 'idle';
    return act === 'TRUNCATE' || rowCount ? 'possible' : 'idle';
  } catch (error) {
    const { code = '' } = error as { code?: string };
    // Only a reference from another row refused it, and a row without one could be deleted: the right is
    // there.
    if (act === 'DELETE' && REFERRED.test(code)) return 'possible';
    return code !== REFUSED && INVALID.test(code) ? 'invalid' : 'refused';
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
  }
}

async function writesOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ writes: string }>(
    'SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) AS writes FROM pg_stat_xact_all_tables',
  );
  return Number(rows[0]?.writes);
}

/** @returns whether every step ran, changed a row, and would be committed */
async function goesThrough(client: pg.Client, steps: readonly string[]): Promise<boolean> {
  try {
    for (const step of steps) if ((await client.query(step)).rowCount === 0) return false;
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    return true;
  } catch {
    return false;
  }
}
