import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { APPLICATION_ROLE } from '../db/connection.ts';

const LOGIN = 'copydesk_login';

/**
 * Creates the login that the processes of `npm start` connect with; its password lives as long as this start. It is a
 * member of the application's role and nothing else.
 * @param ownerUrl connection of the owner of the schema, who may create roles
 * @param name of the login: one that no other installation of the cluster has
 * @returns the connection of the login
 */
export async function makeApplicationLogin(ownerUrl: string, name = LOGIN): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (!rowCount)
      await client.query(`CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN IN ROLE ${APPLICATION_ROLE}`);
    await client.query(`ALTER ROLE ${pg.escapeIdentifier(name)} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = password;
  return url.href;
}
