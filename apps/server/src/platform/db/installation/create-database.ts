import pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { APPLICATION_ROLE, APPLICATION_ROLES, OPERATOR_ROLE, WORKER_ROLE } from '../connection/connection.ts';
import { canonicalUrl, connectForCommand, parseUrl, readAddress } from '../connection/database-url.ts';

export interface NewDatabase {
  /** A superuser of the cluster, or a role with CREATEROLE and CREATEDB, connected to any database but the new one. */
  adminUrl: string;
  /** The new database, as the schema's owner. */
  ownerUrl: string;
  /** The new database, as the application. */
  applicationUrl: string;
  /** The new database, as the worker; undefined: no login is made for it. */
  workerUrl?: string | undefined;
  /** The new database, as an operator's commands; undefined: no login is made for them. */
  operatorUrl?: string | undefined;
  /** The new database, as a login for backups; undefined: none is made. */
  backupUrl?: string | undefined;
  /** A backup is restored into it: only a superuser can, and nothing may be there yet. */
  isForRestore?: boolean;
}

/** A login of an address, which names all three. */
export interface Login {
  name: string;
  password: string;
  database: string;
}

/** What each login may do. Existing roles stay as they are: their passwords may be in use. */
const OWNER = 'LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS';
/** What standbys confirm is hidden from others; workers ask before they send (`app.replication`). */
const OF_STANDBYS = 'pg_read_all_stats';
const memberOf = (role: string) => `LOGIN NOSUPERUSER NOBYPASSRLS IN ROLE ${role}`;
/** Row-level security would hide rows from any other login, and a dump would miss them. */
const BACKUP = 'LOGIN NOSUPERUSER BYPASSRLS IN ROLE pg_read_all_data';

/** Extensions that come with PostgreSQL; migrations create them in the database. */
const EXTENSIONS = ['pg_trgm', 'btree_gist'] as const;

/**
 * Creates an empty database with its roles: the owner of the schema, the roles and logins of API, workers and operators,
 * and the login for backups. Migrations do the rest. A superuser is not needed, but for the login for backups: managed
 * servers have none. What cannot work is refused before anything is made, and a run that was cut off is finished by the
 * next one.
 * @returns the names of the roles that it made, and whether an earlier run had made the database
 * @throws StartError when the database exists and is in use, or the addresses are of different databases
 */
export async function createDatabase(
  options: NewDatabase,
): Promise<{ database: string; made: string[]; isResumed: boolean }> {
  const { adminUrl, ownerUrl, applicationUrl, workerUrl, operatorUrl, backupUrl } = options;
  const { isForRestore = false } = options;
  const owner = loginOf(ownerUrl, 'DATABASE_OWNER_URL');
  const application = loginOf(applicationUrl, 'DATABASE_URL');
  const worker = workerUrl === undefined ? null : loginOf(workerUrl, 'DATABASE_WORKER_URL');
  const operator = operatorUrl === undefined ? null : loginOf(operatorUrl, 'DATABASE_OPERATOR_URL');
  const backup = backupUrl === undefined ? null : loginOf(backupUrl, 'DATABASE_BACKUP_URL');
  const { database } = owner;
  if ([application, worker, operator, backup].some((login) => login !== null && login.database !== database))
    throw new StartError(
      'DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL, DATABASE_OPERATOR_URL and DATABASE_BACKUP_URL name different databases.',
    );
  const admin = await connectForCommand(adminUrl, 'DATABASE_ADMIN_URL', {
    application_name: 'copydesk-create',
  });
  const made: string[] = [];
  const createRole = async (name: string, attributes: string) => {
    const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (rowCount) return;
    await admin.query(`CREATE ROLE ${pg.escapeIdentifier(name)} ${attributes}`);
    made.push(name);
  };
  const createLogin = ({ name, password }: Login, attributes: string) =>
    createRole(name, `${attributes} PASSWORD ${pg.escapeLiteral(password)}`);
  const grant = async (role: string, to: string, words = '') => {
    const { rows } = await admin.query<{ has: boolean }>(
      `SELECT pg_has_role($2::name, $1::name, 'MEMBER${words && ' WITH ADMIN OPTION'}') AS has`,
      [role, to],
    );
    // Skips what a DBA or an earlier run has granted: the administrator may lack the right.
    if (!rows[0]?.has)
      await admin.query(`GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(to)} ${words}`);
  };
  try {
    const found = { database, ownerUrl, owner: owner.name, isForRestore };
    const isResumed = await requireNewOrUnfinished(admin, found);
    await requireServer(admin);
    await requireRights(admin, { ...found, backup: backup?.name ?? null, isResumed });
    await createLogin(owner, OWNER);
    if (await mayGrantStats(admin)) await grant(OF_STANDBYS, owner.name);
    for (const role of APPLICATION_ROLES) {
      await createRole(role, 'NOLOGIN NOSUPERUSER NOBYPASSRLS');
      await grant(role, owner.name, 'WITH ADMIN OPTION');
    }
    // A restored database does not run the migrations that grant them.
    await grant(APPLICATION_ROLE, WORKER_ROLE);
    await grant(WORKER_ROLE, OPERATOR_ROLE);
    await createLogin(application, memberOf(APPLICATION_ROLE));
    if (worker) await createLogin(worker, memberOf(WORKER_ROLE));
    if (operator) await createLogin(operator, memberOf(OPERATOR_ROLE));
    if (backup) await createLogin(backup, BACKUP);
    if (!isResumed) await makeDatabase(admin, database, owner.name);
    await leaveOwner(admin, owner.name);
    return { database, made, isResumed };
  } finally {
    await admin.end();
  }
}

/** Administrators of managed databases may lack it, and replicate beneath PostgreSQL. */
async function mayGrantStats(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query<{ may: boolean }>(
    `SELECT rolsuper OR CASE WHEN current_setting('server_version_num')::int < 160000 THEN rolcreaterole
       ELSE pg_has_role(rolname, $1::name, 'MEMBER WITH ADMIN OPTION') END AS may
     FROM pg_roles WHERE rolname = current_user`,
    [OF_STANDBYS],
  );
  return rows[0]?.may ?? false;
}

/**
 * Only a member can give a database to a role. Without a superuser, the administrator joins it until
 * `leaveOwner`.
 */
async function makeDatabase(admin: pg.Client, database: string, owner: string): Promise<void> {
  const { rows } = await admin.query<{ isMember: boolean }>(
    `SELECT pg_has_role(current_user, $1::name,
       CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) AS "isMember"`,
    [owner],
  );
  if (rows[0]?.isMember === false) await admin.query(`GRANT ${pg.escapeIdentifier(owner)} TO CURRENT_USER`);
  try {
    await admin.query(
      `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(owner)} TEMPLATE template0 ENCODING 'UTF8'`,
    );
  } catch (error) {
    await leaveOwner(admin, owner);
    throw error;
  }
}

/** Ends the membership that the administrator gave itself, also one left by a run that was killed. */
async function leaveOwner(admin: pg.Client, owner: string): Promise<void> {
  const { rowCount } = await admin.query(
    `SELECT FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid JOIN pg_roles me ON me.oid = m.member
     WHERE o.rolname = $1 AND me.rolname = current_user AND m.grantor = me.oid AND NOT me.rolsuper`,
    [owner],
  );
  if (rowCount) await admin.query(`REVOKE ${pg.escapeIdentifier(owner)} FROM CURRENT_USER`);
}

/**
 * @returns whether an earlier run was cut off before the schema was complete
 * @throws StartError when the database is in use
 */
async function requireNewOrUnfinished(
  admin: pg.Client,
  {
    database,
    ownerUrl,
    owner,
    isForRestore,
  }: { database: string; ownerUrl: string; owner: string; isForRestore: boolean },
): Promise<boolean> {
  const { rows } = await admin.query<{ owner: string }>(
    'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
    [database],
  );
  if (!rows[0]) return false;
  if (!isForRestore && rows[0].owner === owner && (await isUnfinished(ownerUrl))) return true;
  throw new StartError(
    `The database ${database} exists already, and nothing was changed. "bin/copydesk migrate" brings its schema up to date. To begin again, drop or rename it first.`,
    { isSetting: false },
  );
}

/** Migrations make the job queue last: a database that has it is complete and may be in use. */
async function isUnfinished(ownerUrl: string): Promise<boolean> {
  const client = await connectForCommand(ownerUrl, 'DATABASE_OWNER_URL', {
    application_name: 'copydesk-create',
  });
  const { rows } = await client
    .query<{ isEmpty: boolean; isOurs: boolean; isComplete: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS "isEmpty",
         to_regclass('public.schema_migration') IS NOT NULL AS "isOurs",
         to_regclass('pgboss.version') IS NOT NULL AS "isComplete"`,
    )
    .finally(() => client.end());
  return rows[0] !== undefined && !rows[0].isComplete && (rows[0].isEmpty || rows[0].isOurs);
}

/** @throws StartError when this server cannot have the database, whoever creates it */
async function requireServer(admin: pg.Client): Promise<void> {
  const problem = await findServerProblem(admin);
  if (problem !== null) throw new StartError(`DATABASE_ADMIN_URL: ${problem}`);
}

/** Why a server cannot have a database of ours, and what to do; null: it can. @param client of any database of it */
export async function findServerProblem(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{
    version: number;
    isStandby: boolean;
    isReadOnly: boolean;
    hasIcu: boolean;
    missing: string[];
  }>(
    `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS "isStandby",
       current_setting('transaction_read_only') = 'on' AS "isReadOnly",
       EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') AS "hasIcu",
       (SELECT coalesce(array_agg(e), '{}') FROM unnest($1::text[]) e
         WHERE e NOT IN (SELECT name FROM pg_available_extensions)) AS missing`,
    [EXTENSIONS],
  );
  const [found] = rows;
  if (!found) return null;
  if (found.version < 150000)
    return `the server is PostgreSQL ${Math.floor(found.version / 10_000)}. Copydesk needs 15 or newer.`;
  if (found.isStandby) return 'the server is a standby and takes no writes. Take the address of the primary.';
  if (found.isReadOnly)
    return 'sessions are read-only (default_transaction_read_only). As an administrator: ALTER ROLE <the login> RESET default_transaction_read_only; or the same for the database or the server.';
  if (!found.hasIcu)
    return 'the server was built without ICU, and names are sorted by it. Take a build with ICU, as those of Debian, PGDG and the managed services.';
  return found.missing.length > 0
    ? `the server has no ${found.missing.join(' and ')}. Install its contrib package (postgresql-contrib).`
    : null;
}

/** @throws StartError when the admin may not make what is missing */
async function requireRights(
  admin: pg.Client,
  {
    backup,
    owner,
    isResumed,
    isForRestore,
  }: { backup: string | null; owner: string; isResumed: boolean; isForRestore: boolean },
): Promise<void> {
  const { rows } = await admin.query<{
    me: string;
    isSuper: boolean;
    createsRoles: boolean;
    createsDatabases: boolean;
    grantsBypass: boolean;
    hasBackup: boolean;
    ownerCreatesRoles: boolean | null;
  }>(
    `SELECT rolname AS me, rolsuper AS "isSuper", rolcreaterole AS "createsRoles", rolcreatedb AS "createsDatabases",
       rolbypassrls AND current_setting('server_version_num')::int >= 160000
         AND pg_has_role(rolname, 'pg_read_all_data', 'MEMBER WITH ADMIN OPTION') AS "grantsBypass",
       EXISTS (SELECT FROM pg_roles b WHERE b.rolname = $1) AS "hasBackup",
       (SELECT o.rolcreaterole FROM pg_roles o WHERE o.rolname = $2) AS "ownerCreatesRoles"
     FROM pg_roles WHERE rolname = current_user`,
    [backup, owner],
  );
  const [may] = rows;
  if (!may) throw new Error('the server reports no current role');
  if (may.ownerCreatesRoles === false)
    throw new StartError(
      `DATABASE_OWNER_URL: ${owner} exists without CREATEROLE, which migrations need. As an administrator: ALTER ROLE ${pg.escapeIdentifier(owner)} CREATEROLE;`,
    );
  if (may.isSuper) return;
  if (isForRestore)
    throw new StartError(
      `DATABASE_ADMIN_URL: ${may.me} is no superuser, and only a superuser restores a backup: foreign keys are checked while row-level security binds the owner. Managed servers restore their own backups; run bin/copydesk admin after-restore then.`,
    );
  const lacking = [
    ...(may.createsRoles ? [] : ['CREATEROLE']),
    ...(may.createsDatabases || isResumed ? [] : ['CREATEDB']),
  ];
  if (lacking.length > 0)
    throw new StartError(
      `DATABASE_ADMIN_URL: ${may.me} lacks ${lacking.join(' and ')}. As an administrator: ALTER ROLE ${pg.escapeIdentifier(may.me)} ${lacking.join(' ')}; or make the roles and the database by hand (docs/operations/set-up.md#managed-databases).`,
    );
  if (backup !== null && !may.hasBackup && !may.grantsBypass)
    throw new StartError(
      `DATABASE_BACKUP_URL: ${may.me} is no superuser and may not make a login that bypasses row-level security. Leave DATABASE_BACKUP_URL out and use the backups of your provider, or have ${backup} made (docs/operations/set-up.md#managed-databases).`,
    );
}

/** @throws StartError when the address lacks a login, a password or a database */
export function loginOf(url: string, variable: string): Login {
  const { username, password, pathname } = parseUrl(canonicalUrl(url, variable), variable);
  if (username === '' || password === '' || pathname.length < 2)
    throw new StartError(`${variable} needs a login, a password and a database.`);
  const address = readAddress(url, variable);
  return { name: address.user, password: address.password, database: address.database };
}
