import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { APPLICATION_ROLE, APPLICATION_ROLES, OPERATOR_ROLE, WORKER_ROLE } from './connection.ts';
import { parseUrl } from './database-url.ts';

export interface NewDatabase {
  /** A superuser of the cluster, connected to any database but the new one. */
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
}

/** A login of an address, which names all three. */
export interface Login {
  name: string;
  password: string;
  database: string;
}

/** What each login may do. Existing roles stay as they are: their passwords may be in use. */
const OWNER = 'LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS';
const memberOf = (role: string) => `LOGIN NOSUPERUSER NOBYPASSRLS IN ROLE ${role}`;
/** Row-level security would hide rows from any other login, and a dump would miss them. */
const BACKUP = 'LOGIN NOSUPERUSER BYPASSRLS IN ROLE pg_read_all_data';

/**
 * Creates an empty database with its roles: the owner of the schema, the roles and logins of API, workers and operators,
 * and the login for backups. Migrations do the rest.
 * @returns the names of the roles that it made
 * @throws StartError when the database exists, or the addresses are of different databases
 */
export async function createDatabase(options: NewDatabase): Promise<{ database: string; made: string[] }> {
  const { adminUrl, ownerUrl, applicationUrl, workerUrl, operatorUrl, backupUrl } = options;
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
  const admin = new pg.Client({ connectionString: adminUrl, application_name: 'copydesk-create' });
  await admin.connect();
  const made: string[] = [];
  const createRole = async (name: string, attributes: string) => {
    const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (rowCount) return;
    await admin.query(`CREATE ROLE ${pg.escapeIdentifier(name)} ${attributes}`);
    made.push(name);
  };
  const createLogin = ({ name, password }: Login, attributes: string) =>
    createRole(name, `${attributes} PASSWORD ${pg.escapeLiteral(password)}`);
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount)
      throw new StartError(
        `The database ${database} exists already, and nothing was changed. "bin/copydesk migrate" brings its schema up to date. To begin again, drop or rename it first.`,
      );
    await createLogin(owner, OWNER);
    for (const role of APPLICATION_ROLES) {
      await createRole(role, 'NOLOGIN NOSUPERUSER NOBYPASSRLS');
      await admin.query(`GRANT ${role} TO ${pg.escapeIdentifier(owner.name)} WITH ADMIN OPTION`);
    }
    // A restored database does not run the migrations that grant them.
    await admin.query(`GRANT ${APPLICATION_ROLE} TO ${WORKER_ROLE}`);
    await admin.query(`GRANT ${WORKER_ROLE} TO ${OPERATOR_ROLE}`);
    await createLogin(application, memberOf(APPLICATION_ROLE));
    if (worker) await createLogin(worker, memberOf(WORKER_ROLE));
    if (operator) await createLogin(operator, memberOf(OPERATOR_ROLE));
    if (backup) await createLogin(backup, BACKUP);
    await admin.query(
      `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(owner.name)} TEMPLATE template0 ENCODING 'UTF8'`,
    );
    return { database, made };
  } finally {
    await admin.end();
  }
}

/** @throws StartError when the address lacks a login, a password or a database */
export function loginOf(url: string, variable: string): Login {
  const { username, password, pathname } = parseUrl(url, variable);
  const login = {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
  if (Object.values(login).includes(''))
    throw new StartError(`${variable} needs a login, a password and a database.`);
  return login;
}
