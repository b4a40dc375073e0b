import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import pg from 'pg';
import type { Config, OutgoingSettings } from '../config.ts';
import { openSession } from '../platform/db/connection/database-url.ts';
import { findServerProblem } from '../platform/db/installation/create-database.ts';
import { describeStartProblem } from '../platform/process/start-error.ts';
import type { Finding } from './check-installation.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** What the command line works with. */
const OWN: ReadonlySet<string> = new Set(['DATABASE_URL', 'DATABASE_OPERATOR_URL']);

/**
 * For the doctor: what the settings lead to, before a program has ever started. It needs no database that works, and
 * each problem says the line to change.
 * @returns also whether the addresses connect that the doctor itself goes on with
 */
export async function checkSettings(
  config: Config,
  outgoing: OutgoingSettings,
): Promise<{ findings: Finding[]; isReached: boolean }> {
  const findings = [...checkProxies(config, outgoing), ...checkAuthorities(outgoing)];
  let isReached = true;
  for (const { variable, url } of addressesOf(config)) {
    const problems = await findAddressProblems(variable, url);
    if (OWN.has(variable) && problems.some(({ isConnection }) => isConnection)) isReached = false;
    for (const { text } of problems)
      if (!findings.some((found) => found.text === text)) findings.push({ isFine: false, text });
  }
  if (findings.length === 0)
    findings.push({
      isFine: true,
      text: 'Every address of the database connects, and nothing in its roles is in the way.',
    });
  return { findings, isReached };
}

/** Each address once: without one of its own, a variable has that of another. */
function addressesOf(config: Config): { variable: string; url: string }[] {
  const given = {
    DATABASE_ADMIN_URL: config.databaseAdminUrl,
    DATABASE_URL: config.databaseUrl,
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
    DATABASE_WORKER_URL: config.databaseWorkerUrl,
    DATABASE_OPERATOR_URL: config.databaseOperatorUrl,
    DATABASE_OWNER_URL: config.databaseOwnerUrl,
    DATABASE_BACKUP_URL: config.databaseBackupUrl,
  };
  const seen = new Set<string>();
  const replicas = config.databaseReadUrls.map((url): [string, string] => ['DATABASE_READ_URL', url]);
  return [...Object.entries(given), ...replicas].flatMap(([variable, url]) => {
    if (url === undefined || seen.has(url)) return [];
    seen.add(url);
    return [{ variable, url }];
  });
}

interface Problem {
  text: string;
  /** Whether it does not even connect. */
  isConnection: boolean;
}

async function findAddressProblems(variable: string, url: string): Promise<Problem[]> {
  let client: pg.Client;
  try {
    client = await openSession(url, variable, {
      application_name: 'copydesk-doctor',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
  } catch (error) {
    return [{ text: describeStartProblem(error)?.problem ?? `${variable}: ${error}`, isConnection: true }];
  }
  try {
    const ofServer = await findServerProblem(client);
    const texts = [
      ...(ofServer === null ? [] : [ofServer]),
      ...(await findRoleSettings(client, variable)),
      ...(await findMissingRights(client, variable)),
    ];
    return texts.map((text) => ({ text: `${variable}: ${text}`, isConnection: false }));
  } catch (error) {
    return [
      { text: `${variable}: ${describeStartProblem(error)?.problem ?? String(error)}`, isConnection: false },
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

/** Settings that change what our statements mean, or end them. Ours are set in each transaction, but not everywhere. */
const SETTINGS_IN_THE_WAY = [
  'search_path',
  'row_security',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'transaction_timeout',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'TimeZone',
  'DateStyle',
  'IntervalStyle',
  'bytea_output',
];

/** What `ALTER ROLE ... SET` and `ALTER DATABASE ... SET` have left for this login, each with the line that ends it. */
async function findRoleSettings(client: pg.Client, variable: string): Promise<string[]> {
  const { rows } = await client.query<{
    name: string;
    setting: string;
    source: string;
    me: string;
    database: string;
  }>(
    `SELECT name, setting, source, session_user::text AS me, current_database()::text AS database FROM pg_settings
     WHERE name = ANY ($1) AND source IN ('global', 'database', 'user', 'database user')
       -- What the server has anyway, or what we set ourselves.
       AND NOT (name = 'TimeZone' AND setting IN ('UTC', 'Etc/UTC'))
     UNION ALL
     -- The one that pg_settings does not show.
     SELECT 'role', substr(one, 6), CASE WHEN s.setrole = 0 THEN CASE WHEN s.setdatabase = 0 THEN 'global' ELSE 'database' END
         WHEN s.setdatabase = 0 THEN 'user' ELSE 'database user' END,
       session_user::text, current_database()::text
     FROM pg_db_role_setting s CROSS JOIN unnest(s.setconfig) one
     WHERE one LIKE 'role=%' AND one <> 'role=none'
       AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
       AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
     ORDER BY name`,
    [SETTINGS_IN_THE_WAY],
  );
  return rows.map(({ name, setting, source, me, database }) => {
    const role = pg.escapeIdentifier(me);
    const ofDatabase = pg.escapeIdentifier(database);
    const owner = {
      global: 'ROLE ALL',
      database: `DATABASE ${ofDatabase}`,
      user: `ROLE ${role}`,
      'database user': `ROLE ${role} IN DATABASE ${ofDatabase}`,
    }[source];
    return `sessions begin with ${name} = ${setting === '' ? "''" : setting}. As an administrator of the server: ALTER ${owner} RESET ${name};${variable === 'DATABASE_ADMIN_URL' ? ' (of the administrator itself: it does not hinder the programs)' : ''}`;
  });
}

async function findMissingRights(client: pg.Client, variable: string): Promise<string[]> {
  if (variable !== 'DATABASE_OWNER_URL' && variable !== 'DATABASE_ADMIN_URL') return [];
  const { rows } = await client.query<{
    me: string;
    isSuper: boolean;
    createsRoles: boolean;
    createsDatabases: boolean;
  }>(
    `SELECT rolname AS me, rolsuper AS "isSuper", rolcreaterole AS "createsRoles", rolcreatedb AS "createsDatabases"
     FROM pg_roles WHERE rolname = session_user`,
  );
  const [may] = rows;
  if (!may || may.isSuper) return [];
  const lacking = [
    ...(may.createsRoles ? [] : ['CREATEROLE']),
    ...(may.createsDatabases || variable === 'DATABASE_OWNER_URL' ? [] : ['CREATEDB']),
  ];
  return lacking.length === 0
    ? []
    : [
        `${may.me} lacks ${lacking.join(' and ')}. As an administrator of the server: ALTER ROLE ${pg.escapeIdentifier(may.me)} ${lacking.join(' ')};`,
      ];
}

function checkProxies({ exchanges }: Pick<Config, 'exchanges'>, outgoing: OutgoingSettings): Finding[] {
  const { proxyVariables, usesProxies } = outgoing;
  if (proxyVariables.length === 0) return [];
  const names = proxyVariables.join(' and ');
  if (!usesProxies)
    return [
      {
        isFine: false,
        text: `${names} is set, and Node goes around it: nothing reaches the chain, Telegram or Stripe where only the proxy leads out. Add this line to settings.env: NODE_USE_ENV_PROXY=1`,
      },
    ];
  return exchanges.proxyUrl
    ? []
    : [
        {
          isFine: false,
          text: `${names} is set, but requests to exchanges have a proxy of their own. Add this line to settings.env: EXCHANGE_PROXY_URL=<address of the proxy>`,
        },
      ];
}

function checkAuthorities({ extraAuthorities }: OutgoingSettings): Finding[] {
  if (extraAuthorities === null) return [];
  const wrong = (reason: string): Finding[] => [{ isFine: false, text: `NODE_EXTRA_CA_CERTS: ${reason}` }];
  try {
    readFileSync(extraAuthorities);
  } catch (error) {
    return wrong(describeStartProblem(error)?.problem ?? `${extraAuthorities} cannot be read.`);
  }
  return getCACertificates('extra').length === 0
    ? wrong(
        `${extraAuthorities} has no certificate that Node reads. It takes PEM files, -----BEGIN CERTIFICATE-----.`,
      )
    : [];
}
