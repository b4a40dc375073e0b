import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  APPLICATION_ROLE,
  type ApplicationRole,
  createClient,
  WORKER_ROLE,
} from '../platform/db/connection.ts';

const LOGIN = 'copydesk_login';

/** The logins of the processes of `npm start`, one for the API and one for the worker. @param name of the API's */
export async function makeLogins(
  ownerUrl: string,
  name = LOGIN,
): Promise<{ DATABASE_URL: string; DATABASE_WORKER_URL: string }> {
  return {
    DATABASE_URL: await makeLogin(ownerUrl, name, APPLICATION_ROLE),
    DATABASE_WORKER_URL: await makeLogin(ownerUrl, `${name}_worker`, WORKER_ROLE),
  };
}

/**
 * Creates a login whose password lives as long as this start. It is a member of one role and nothing else.
 * @param ownerUrl connection of the owner of the schema, who may create roles
 * @param name of the login: one that no other installation of the cluster has
 * @returns the connection of the login
 */
async function makeLogin(ownerUrl: string, name: string, role: ApplicationRole): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = createClient({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (!rowCount) await client.query(`CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN IN ROLE ${role}`);
    await client.query(`ALTER ROLE ${pg.escapeIdentifier(name)} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = password;
  return url.href;
}
