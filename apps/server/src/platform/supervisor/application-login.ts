import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { APPLICATION_ROLE } from '../db/connection.ts';

const LOGIN = 'copydesk_login';

/**
 * Creates the login that the embedded database's processes connect with; its password lives as long as this start. It
 * is a member of the application's role and nothing else.
 * @param ownerUrl connection of the owner of the schema, who may create roles
 * @returns the connection of the login
 */
export async function makeApplicationLogin(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [LOGIN]);
    if (!rowCount) await client.query(`CREATE ROLE ${LOGIN} LOGIN IN ROLE ${APPLICATION_ROLE}`);
    await client.query(`ALTER ROLE ${LOGIN} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = LOGIN;
  url.password = password;
  return url.href;
}
