import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { AUDIT_KEY_TEXT, createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../wiring/open-database.ts';
import { APPLICATION_ROLE, WORKER_ROLE } from '../connection/connection.ts';
import { WHOLE_SCOPE } from '../database.ts';
import type { Statements } from '../statements.ts';
import { findRoleProblem } from './application-role.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

const open = (url: string) =>
  openDatabase(readConfig({ DATABASE_URL: url, AUDIT_KEY: AUDIT_KEY_TEXT, DATABASE_POOL: '2' }), 'test-role');
const ready = async () => {
  const answer = await send(product.app, 'GET /api/ready', {});
  return [answer.statusCode, answer.json().message];
};

test('the login of the owner is brought to the role of the program', async () => {
  const { db } = await open(product.ownerUrl);
  const roles = await db.read(WHOLE_SCOPE, ({ sql }) =>
    sql.selectNoFrom((eb) => eb.fn<string>('current_setting', [eb.val('role')]).as('role')).execute(),
  );
  await db.close();
  expect(roles).toEqual([{ role: 'copydesk_worker' }]);
  expect(await ready()).toEqual([200, undefined]);
});

test('a role that owns tables is refused at the start and reported by a running API', async () => {
  await asOwner(
    product.ownerUrl,
    `GRANT CREATE ON SCHEMA public TO copydesk_app;
     ALTER TABLE vip_tier OWNER TO copydesk_app;
     REVOKE CREATE ON SCHEMA public FROM copydesk_app`,
  );
  await expect(open(product.ownerUrl)).rejects.toThrow(/owns tables of this database/);
  expect(await ready()).toEqual([503, expect.stringContaining('owns tables of this database')]);
  await asOwner(product.ownerUrl, 'ALTER TABLE vip_tier OWNER TO CURRENT_USER');
  expect(await ready()).toEqual([200, undefined]);
});

test('a login outside the role is refused, with the remedy', async () => {
  const login = `test_outsider_${process.pid}`;
  await asOwner(product.ownerUrl, `CREATE ROLE ${login} LOGIN PASSWORD 'by-hand'`);
  const url = new URL(product.ownerUrl);
  url.username = login;
  url.password = 'by-hand';
  const opening = open(url.href);
  await expect(opening).rejects.toThrow(
    /permission denied to set role.*set DATABASE_WORKER_URL.*IN ROLE copydesk_worker;/,
  );
  await asOwner(product.ownerUrl, `DROP ROLE ${login}`);
});

test.each([
  ['a superuser', { is_super: true }, /does not bind the role.*NOSUPERUSER NOBYPASSRLS;$/],
  ['a role that bypasses the policies', { bypasses_policies: true }, /does not bind the role/],
  ['another role than that of the settings', { name: 'pooled_login' }, /run as pooled_login.*pooler/],
])('%s is a problem', async (_name, differs, problem) => {
  // The owner of the test cluster is no superuser and cannot make one.
  const role = { name: 'copydesk_app', is_super: false, bypasses_policies: false, owns_tables: false };
  const answer = (row: object) => ({ query: async () => ({ rows: [row] }) }) as unknown as Statements;
  expect(await findRoleProblem(answer(role), 'copydesk_app')).toBeNull();
  expect(await findRoleProblem(answer({ ...role, ...differs }), 'copydesk_app')).toMatch(problem);
});

const LOGIN = `test_api_${process.pid}`;
const OWNING = `GRANT ${LOGIN} TO CURRENT_USER; GRANT CREATE ON SCHEMA public TO ${LOGIN}; ALTER TABLE vip_tier OWNER TO ${LOGIN};
  REVOKE CREATE ON SCHEMA public FROM ${LOGIN}`;

describe.each([APPLICATION_ROLE, WORKER_ROLE] as const)('a login of %s', (role) => {
  test.each([
    ['that is only its member', 'SELECT', null],
    ['that may create roles', `ALTER ROLE ${LOGIN} CREATEROLE`, /may create roles and grant them to itself/],
    [
      'that may act as an operator',
      `GRANT copydesk_operator TO ${LOGIN}`,
      /may act as a[n]? (worker|operator)/,
    ],
    ['that owns tables', OWNING, /owns tables of this database, or may act as their owner/],
    [
      'that may act as a worker',
      `GRANT copydesk_worker TO ${LOGIN}`,
      role === WORKER_ROLE ? null : /may act as a worker/,
    ],
  ])('%s', async (_, statement, problem) => {
    await asOwner(product.ownerUrl, `CREATE ROLE ${LOGIN} LOGIN PASSWORD 'by-hand' IN ROLE ${role}`);
    await asOwner(product.ownerUrl, statement);
    const url = Object.assign(new URL(product.ownerUrl), { username: LOGIN, password: 'by-hand' }).href;
    const config = readConfig({ DATABASE_URL: url, AUDIT_KEY: AUDIT_KEY_TEXT, DATABASE_POOL: '2' });
    try {
      const opening = openDatabase(config, 'test', { role, isApart: true });
      if (problem === null) await (await opening).db.close();
      else await expect(opening).rejects.toThrow(problem);
    } finally {
      await asOwner(product.ownerUrl, 'ALTER TABLE vip_tier OWNER TO CURRENT_USER');
      await asOwner(product.ownerUrl, `DROP ROLE ${LOGIN}`);
    }
  });
});
