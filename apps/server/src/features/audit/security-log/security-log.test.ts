import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../../tests/support/csv-lines.ts';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import {
  accept,
  addSuperAdmin,
  enrol,
  invite,
  PASSWORD,
} from '../../../../../../tests/support/identity/people.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { LISTED_PER_CALLER } from '../../../platform/audit/security-log/collect-refusals.ts';
import { pruneAttempts } from '../../../platform/audit/security-log/refused-attempts.store.ts';

/** Typed into the field for the e-mail address by mistake, as people do. */
const TYPED = 'tr0ub4dor-and-3@gmail.example';
// Not the end of an hour: attempts of a test are one row.
const HOUR = 3_600_000;
const AT = new Date(Math.floor(Date.now() / HOUR) * HOUR + 300_000);
/** As PostgreSQL writes it. */
const TIME = AT.toISOString().replace('.000', '');

let product: TestApp;
let superAdmin: string;
let staff: Awaited<ReturnType<typeof signInAs>>;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05, clock: () => AT });
  superAdmin = await product.signIn('super');
  staff = await signInAs(product, 'staff');
});
afterAll(() => product.close());

type Row = Record<string, unknown> & { id: string };
const list = async (query: Record<string, string> = {}) => {
  await product.securityLog.flush();
  const answer = await send(product.app, 'GET /api/audit/refusals', { query }, superAdmin);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as {
    data: Row[];
    meta: { next_cursor: string | null; total: number; is_total_capped: boolean; unlisted: object[] };
  };
};
const only = async (query: Record<string, string>) => {
  const { data } = await list(query);
  expect(data).toHaveLength(1);
  return data[0] as Row;
};
const signIn = (email: string, password: string, address: string) =>
  authCall(product, '/sign-in/email', { body: { email, password }, address });

test('a call without the right to it: who, what, from where, how often', async () => {
  for (let n = 0; n < 3; n += 1)
    await call(product, ['GET', '/api/audit?target_id=secret-of-the-query'], {
      authorization: staff.authorization,
      address: '198.51.100.4',
    });
  expect(await only({ address: '198.51.100.4' })).toEqual({
    id: expect.any(String),
    kind: 'access',
    code: 'super_admin_required',
    text: 'Super admin access required',
    call: 'GET /api/audit',
    summary: 'Everything that was done, newest first',
    caller_kind: 'user',
    caller_id: staff.userId,
    caller_name: 'staff@demo.example',
    address: '198.51.100.4',
    network: '198.51.100.4',
    first_at: TIME,
    last_at: TIME,
    count: 3,
    request_id: expect.any(String),
  });
  // The call's pattern, not its URL.
  await call(product, ['GET', `/api/users/${staff.userId}`], {
    authorization: staff.authorization,
    address: '198.51.100.5',
  });
  expect(await only({ address: '198.51.100.5' })).toMatchObject({ call: 'GET /api/users/{id}' });
});

test('HEAD counts as the GET of its path', async () => {
  for (const method of ['HEAD', 'GET'] as const)
    await product.app.inject({
      method,
      url: '/api/audit',
      headers: { authorization: staff.authorization },
      remoteAddress: '198.51.100.6',
    });
  expect(await only({ address: '198.51.100.6' })).toMatchObject({ call: 'GET /api/audit', count: 2 });
});

test('a wrong password names the account; an address without one is stored nowhere', async () => {
  await signIn('Staff@Demo.Example', 'not the password', '198.51.100.10');
  expect(await only({ address: '198.51.100.10' })).toMatchObject({
    kind: 'authentication',
    code: 'wrong_password',
    call: 'POST /api/auth/sign-in/email',
    caller_id: staff.userId,
    caller_name: 'staff@demo.example',
  });
  expect((await signIn(TYPED, 'other-typed-secret', '198.51.100.11')).status).toBe(401);
  expect(await only({ address: '198.51.100.11' })).toMatchObject({ code: 'wrong_password', caller_id: null });

  const tables = await asOwner<{ name: string }>(
    product.ownerUrl,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(60);
  for (const typed of [TYPED, 'tr0ub4dor', 'other-typed-secret', 'not the password', 'secret-of-the-query']) {
    for (const { name } of tables) {
      const found = await asOwner(
        product.ownerUrl,
        `SELECT FROM ${name} t WHERE t::text ILIKE '%' || $1 || '%'`,
        [typed],
      );
      expect(found.length, `${typed} in ${name}`).toBe(0);
    }
    expect(product.logged.join()).not.toContain(typed);
  }
});

test('wrong and used codes, a wrong proof, and a locked account', async () => {
  const invited = await invite(product, superAdmin, { email: 'coded@example.com', super: true });
  const person = await enrol(product, await accept(product, { ...invited, email: 'coded@example.com' }));
  const address = '198.51.100.20';
  const challenge = async () => (await signIn(person.email, PASSWORD, address)).cookies;
  const guess = async (code: string) =>
    authCall(product, '/two-factor/verify-totp', { body: { code }, cookie: await challenge(), address });
  await guess(person.usedCode === '123456' ? '654321' : '123456');
  expect(await only({ address })).toMatchObject({ code: 'wrong_code', caller_name: person.email });
  await guess(person.usedCode);
  expect(await only({ address, code: 'code_used' })).toMatchObject({ caller_id: person.id });

  const prove = (body: object, authorization: string, from: string) =>
    call(product, ['POST', '/api/reauthenticate'], { authorization, body, address: from });
  await prove({ password: 'wrong' }, staff.authorization, '198.51.100.21');
  expect(await only({ address: '198.51.100.21' })).toMatchObject({
    kind: 'reauthentication',
    code: 'reauthentication_failed',
    call: 'POST /api/reauthenticate',
    caller_id: staff.userId,
  });
  // In the settings of the own account the library asks for the password.
  await authCall(product, '/change-password', {
    body: { currentPassword: 'wrong', newPassword: 'long enough for the rules' },
    cookie: staff.cookie,
    address: '198.51.100.22',
  });
  expect(await only({ address: '198.51.100.22' })).toMatchObject({
    code: 'reauthentication_failed',
    call: 'POST /api/auth/change-password',
    caller_id: staff.userId,
  });

  for (let n = 0; n < 11; n += 1) await signIn('staff-multi@demo.example', 'wrong', '198.51.100.23');
  expect(await only({ address: '198.51.100.23', kind: 'rate' })).toMatchObject({
    code: 'too_many_attempts',
    caller_name: 'staff-multi@demo.example',
    count: 1,
  });
  expect(await only({ address: '198.51.100.23', code: 'wrong_password' })).toMatchObject({ count: 10 });
});

test('forged and foreign tokens, and a service token without the scope', async () => {
  const from = async (authorization: string, address: string) => {
    await call(product, ['GET', '/api/traders'], { authorization, address });
    return only({ address });
  };
  const [head, payload] = staff.token.split('.');
  expect(await from(`Bearer ${head}.${payload}.${'A'.repeat(86)}`, '198.51.100.30')).toMatchObject({
    kind: 'authentication',
    code: 'invalid_token',
    caller_kind: null,
  });
  expect(await from(`Bot_${'A'.repeat(43)}`, '198.51.100.31')).toMatchObject({
    code: 'invalid_service_token',
  });
  const [provider] = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM provider LIMIT 1');
  const token = await call(product, ['POST', '/api/service-tokens'], {
    authorization: superAdmin,
    body: { name: 'Narrow', scopes: ['invoices:read'], provider_ids: [provider?.id] },
  });
  expect(await from(token.body.data.token, '198.51.100.32')).toMatchObject({
    kind: 'access',
    code: 'service_scope_required',
    caller_kind: 'service',
    caller_id: token.body.data.id,
    caller_name: 'Narrow',
  });
  // What honest clients do all day is not recorded.
  await call(product, ['GET', '/api/traders'], { address: '198.51.100.33' });
  await call(product, ['GET', '/api/traders?limit=none'], {
    authorization: staff.authorization,
    address: '198.51.100.33',
  });
  expect((await list({ address: '198.51.100.33' })).data).toEqual([]);
});

test('a refusal by the four-eyes rule, and a limit of calls', async () => {
  const second = await addSuperAdmin(product, superAdmin, 'second@example.com');
  await call(product, ['POST', `/api/users/${second.id}/confirm`], { authorization: second.authorization });
  expect(await only({ actor_id: second.id })).toMatchObject({
    kind: 'four_eyes',
    code: 'own_confirmation',
    call: 'POST /api/users/{id}/confirm',
  });
  for (let n = 0; n < 12; n += 1)
    await call(product, ['POST', '/api/audit/verify'], { authorization: second.authorization });
  expect(await only({ actor_id: second.id, kind: 'rate' })).toMatchObject({ code: 'rate_limited', count: 2 });
});

test('a super admin who views as another user is named, not that user', async () => {
  const opened = await call(product, ['POST', `/api/users/${staff.userId}/view-as`], {
    authorization: superAdmin,
    body: {},
  });
  expect(opened.status, opened.text).toBeLessThan(300);
  // It ends by the clock of the test.
  await asOwner(product.ownerUrl, "UPDATE identity.view_as SET expires_at = now() + interval '1 hour'");
  await call(product, ['POST', '/api/saved-views'], {
    authorization: superAdmin,
    headers: { 'x-view-as': staff.userId },
    address: '198.51.100.40',
    body: { screen: 'invoices', name: 'Mine', query: '' },
  });
  expect(await only({ address: '198.51.100.40' })).toMatchObject({
    code: 'view_as_read_only',
    caller_name: 'super@demo.example, viewing as staff@demo.example',
  });
  const rows = (await list({ actor_id: staff.userId })).data;
  expect(rows.map(({ code }) => code)).not.toContain('view_as_read_only');
});

test('who names a view that is not open is known, with any method', async () => {
  for (const [method, address] of [
    ['GET', '198.51.100.41'],
    ['POST', '198.51.100.42'],
  ] as const) {
    const answer = await call(product, [method, '/api/saved-views'], {
      authorization: staff.authorization,
      headers: { 'x-view-as': 'made-up' },
      address,
      ...(method === 'POST' && { body: {} }),
    });
    expect(answer.body.error).toBe('view_as_ended');
    expect(await only({ address })).toMatchObject({
      code: 'view_as_ended',
      call: `${method} /api/saved-views`,
      caller_id: staff.userId,
      caller_name: 'staff@demo.example',
    });
  }
});

test('pages, counts by kind, and the export', async () => {
  const before = (await list()).meta.total;
  await call(product, ['GET', '/api/audit'], {
    authorization: staff.authorization,
    address: '198.51.100.50',
  });
  expect((await list()).meta.total).toBe(before + 1);
  const { data: all, meta } = await list({ limit: '500' });
  expect(meta).toEqual({ next_cursor: null, total: all.length, is_total_capped: false, unlisted: [] });
  const walked: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ limit: '3', ...(cursor && { cursor }) });
    walked.push(...page.data.map(({ id }) => id));
    cursor = page.meta.next_cursor;
  } while (cursor);
  expect(walked).toEqual(all.map(({ id }) => id));

  const today = AT.toISOString().slice(0, 10);
  expect((await list({ from: today, to: today, limit: '500' })).data).toHaveLength(all.length);
  expect((await list({ to: '2020-01-01' })).data).toEqual([]);
  expect((await list({ from: '2099-01-01' })).data).toEqual([]);

  const ofStaff = { query: { actor_id: staff.userId } };
  const counts = await send(product.app, 'GET /api/audit/refusals/counts', ofStaff, superAdmin);
  expect(counts.json().data).toContainEqual({
    kind: 'reauthentication',
    count: 2,
    last_at: TIME,
  });
  const csv = await send(
    product.app,
    'GET /api/audit/refusals/export',
    { query: { code: 'own_confirmation' } },
    superAdmin,
  );
  expect(linesOfCsv(csv.body)).toHaveLength(2);
  expect(csv.body).toContain('POST /api/users/{id}/confirm');
  expect(csv.headers['content-disposition']).toContain('security-log-');
  const foreign = { query: { kind: 'rate', cursor: 'not-of-this-list' } };
  const refused = await send(product.app, 'GET /api/audit/refusals', foreign, superAdmin);
  expect(refused.json().error).toBe('invalid_cursor');
});

test('staff read none of it, neither by the API nor in the database', async () => {
  for (const path of ['', '/counts', '/export']) {
    const answer = await send(product.app, `GET /api/audit/refusals${path}`, {}, staff.authorization);
    expect(answer.statusCode, path).toBe(403);
  }
  const count = (scope: Parameters<TestApp['db']['read']>[0]) =>
    product.db.read(
      scope,
      async (tx) => (await tx.sql.selectFrom('refused_attempt').select('id').execute()).length,
    );
  await product.securityLog.flush();
  expect(await count({ kind: 'all' })).toBeGreaterThan(5);
  const [provider] = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM provider LIMIT 1');
  expect(await count({ kind: 'providers', providerIds: [provider?.id ?? ''] })).toBe(0);
});

test('the application counts on, and changes nothing else of a row', async () => {
  const actor = { kind: 'system', id: 'test', name: 'Test' } as const;
  const change = (column: 'code' | 'caller_id' | 'network' | 'first_at') =>
    product.db.write({ kind: 'all' }, actor, (tx) =>
      tx.sql
        .updateTable('refused_attempt')
        .set({ [column]: null })
        .execute(),
    );
  for (const column of ['code', 'caller_id', 'network', 'first_at'] as const)
    await expect(change(column), column).rejects.toThrow(/permission denied/);
});

test('a flood from 5,000 addresses is a few hundred rows, and hides no known caller', async () => {
  const before = (await list()).meta.total;
  for (let n = 0; n < 5_000; n += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        call(product, ['GET', '/api/me'], {
          authorization: 'Bearer forged',
          address: `10.200.${(n + at) >> 8}.${(n + at) & 255}`,
        }),
      ),
    );
  await call(product, ['GET', '/api/waitlist'], {
    authorization: staff.authorization,
    address: '10.201.0.1',
  });
  expect(await only({ address: '10.201.0.1' })).toMatchObject({ caller_id: staff.userId });
  const [flood] = await asOwner<{ rows: number; attempts: number; rest: number }>(
    product.ownerUrl,
    `SELECT count(*)::int AS rows, sum(count)::int AS attempts,
       sum(count) FILTER (WHERE call IS NULL)::int AS rest
     FROM refused_attempt WHERE code IN ('invalid_token', 'malformed_token') AND (network LIKE '10.200.%' OR network IS NULL)`,
  );
  expect(flood?.attempts).toBe(5_000);
  expect(flood?.rest).toBeGreaterThan(4_000);
  expect(flood?.rows).toBeLessThanOrEqual(2 * (LISTED_PER_CALLER + 1));
  const answer = await send(product.app, 'GET /api/audit/refusals', { query: { limit: '500' } }, superAdmin);
  expect(answer.json().data.length).toBeGreaterThan(before);
  // Also where the list is narrowed to a network, whose part of them is not known.
  const filters: Record<string, string>[] = [{}, { address: '10.201.0.1' }, { kind: 'authentication' }];
  for (const filter of filters)
    expect((await list(filter)).meta.unlisted).toEqual([{ kind: 'authentication', count: flood?.rest }]);
  expect((await list({ kind: 'access' })).meta.unlisted).toEqual([]);
  const metrics = await product.metrics.metrics();
  expect(
    Number(/copydesk_refused_attempts_total\{kind="authentication"\} (\d+)/.exec(metrics)?.[1]),
  ).toBeGreaterThan(5_000);
});

test('rows are deleted after 180 days, and the application cannot delete them before', async () => {
  await asOwner(
    product.ownerUrl,
    `INSERT INTO refused_attempt (hour, kind, code, call, network, address, first_at, last_at, count)
     SELECT date_trunc('hour', t), 'rate', 'rate_limited', 'GET /api/me', a, a, t, t, 1
     FROM (VALUES ('192.0.2.1', now() - interval '181 days'), ('192.0.2.2', now() - interval '179 days')) v (a, t)`,
  );
  expect(await pruneAttempts(product.db, 180)).toBe(1);
  expect((await list({ address: '192.0.2.1' })).data).toEqual([]);
  const actor = { kind: 'system', id: 'test', name: 'Test' } as const;
  await product.db.write({ kind: 'all' }, actor, (tx) => tx.sql.deleteFrom('refused_attempt').execute());
  expect((await list({ address: '192.0.2.2' })).data).toHaveLength(1);
});
