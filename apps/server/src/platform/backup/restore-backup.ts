import { join } from 'node:path';
import pg from 'pg';
import { parseUrl } from '../db/database-url.ts';
import { StartError } from '../process/start-error.ts';
import { DUMP_FILE, describeContent, type Manifest, readBackup } from './manifest.ts';
import { runProgram } from './programs.ts';

export interface RestoreOptions {
  /** The backup's folder. */
  from: string;
  /** A superuser of the cluster, connected to any database but the new one. */
  adminUrl: string;
  /** The new database, as the schema's owner. */
  ownerUrl: string;
  /** The new database, as the application. */
  applicationUrl: string;
  binDir: string | undefined;
}

const quoted = (name: string) => pg.escapeIdentifier(name);
const literal = (value: string) => pg.escapeLiteral(value);

/**
 * Restores a backup into a new database, with the roles that it needs: roles that exist stay as they are. Compares every
 * table's number of rows and the head of the audit with the manifest.
 * @throws StartError when the database exists, or differs from the manifest afterwards
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { from, adminUrl, ownerUrl, applicationUrl, binDir } = options;
  const manifest = await readBackup(from);
  const owner = loginOf(ownerUrl, 'DATABASE_OWNER_URL');
  const application = loginOf(applicationUrl, 'DATABASE_URL');
  if (owner.name !== manifest.owner)
    throw new StartError(
      `DATABASE_OWNER_URL: the backup belongs to ${manifest.owner}, and privileges name it. Use a login of that name.`,
    );
  await withClient(adminUrl, async (admin) => {
    await createRole(admin, owner.name, `LOGIN CREATEROLE PASSWORD ${literal(owner.password)}`);
    await createRole(admin, 'copydesk_app', 'NOLOGIN');
    await admin.query(`GRANT copydesk_app TO ${quoted(owner.name)} WITH ADMIN OPTION`);
    await createRole(
      admin,
      application.name,
      `LOGIN PASSWORD ${literal(application.password)} IN ROLE copydesk_app`,
    );
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [owner.database]);
    if (rowCount) throw new StartError(`The database ${owner.database} exists. Restore into a new one.`);
    await admin.query(
      `CREATE DATABASE ${quoted(owner.database)} OWNER ${quoted(owner.name)} TEMPLATE template0`,
    );
  });
  // As the superuser: foreign keys are checked after row-level security is back, which binds the owner.
  const place = { binDir, url: databaseAs(adminUrl, owner.database) };
  await runProgram(
    'pg_restore',
    ['--exit-on-error', `--dbname=${owner.database}`, '--no-password', '--jobs=2', join(from, DUMP_FILE)],
    place,
  );
  await withClient(place.url, (client) => requireSameContent(client, manifest));
  return manifest;
}

async function createRole(admin: pg.ClientBase, name: string, attributes: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (!rowCount) await admin.query(`CREATE ROLE ${quoted(name)} ${attributes}`);
}

async function requireSameContent(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const found = await describeContent(client);
  const tables = [...new Set([...Object.keys(manifest.rows), ...Object.keys(found.rows)])];
  const different = tables.filter((table) => found.rows[table] !== manifest.rows[table]);
  if (different.length > 0)
    throw new StartError(`The restored database differs from the backup in: ${different.join(', ')}.`);
  if (found.auditHead?.hash !== manifest.auditHead?.hash)
    throw new StartError('The restored audit does not end with the entry that the backup ends with.');
}

function loginOf(url: string, variable: string): { name: string; password: string; database: string } {
  const { username, password, pathname } = parseUrl(url, variable);
  const login = {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
  if (Object.values(login).includes(''))
    throw new StartError(`${variable} needs a login, a password and a database for the restore.`);
  return login;
}

function databaseAs(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'copydesk-restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
