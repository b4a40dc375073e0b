import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { send } from '../../../../../tests/support/send.ts';
import { AUDIT_KEY, createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { verifyAudit } from '../../platform/audit/verify.ts';
import { createStatements } from '../../platform/db/statements.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let communityId: string;
let providerId: string;
let traderId: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const [link] = await asOwner(
    product.ownerUrl,
    `SELECT l.community_id, l.provider_id FROM community_provider l JOIN provider p ON p.id = l.provider_id
     WHERE p.name = 'aurora' LIMIT 1`,
  );
  communityId = link?.community_id;
  providerId = link?.provider_id;
});
afterAll(() => product.close());
beforeEach(async () => {
  traderId = (await create({})).json().data.id;
});

const create = (fields: object, as = staff) =>
  send(
    product.app,
    'POST /api/traders',
    { body: { community_id: communityId, selected_provider_id: providerId, ...fields } },
    as,
  );
const change = (body: object, as = staff, id = traderId) =>
  send(product.app, 'PATCH /api/traders/{id}', { params: { id }, body }, as);

test('a new trader is pending, has a referral code, and is visible to its creator', async () => {
  const answer = await create({ name: 'Nora', language: 'pl', email: 'Nora@Mail.example' });
  expect(answer.statusCode).toBe(201);
  expect(answer.json().data).toMatchObject({
    status: 'pending',
    name: 'Nora',
    language: 'pl',
    email: 'nora@mail.example',
    last_updated_by: 'staff@demo.example',
    selected_provider_id: providerId,
  });
});

test('a trader that is sent twice with one key is created once', async () => {
  const sent = () =>
    send(
      product.app,
      'POST /api/traders',
      { body: { community_id: communityId, selected_provider_id: providerId, name: 'Twice' } },
      staff,
      { 'idempotency-key': 'b0b4f2aa-5f0e-4a54-8a3a-3f3d9f3b7a01' },
    );
  const answers = [await sent(), await sent()];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
  expect(answers[0]?.json()).toEqual(answers[1]?.json());
  expect(answers[1]?.headers['idempotent-replayed']).toBe('true');
  expect(
    await asOwner(product.ownerUrl, "SELECT count(*)::int AS n FROM trader WHERE name = 'Twice'"),
  ).toEqual([{ n: 1 }]);
});

test('a trader cannot be created in a community of another provider', async () => {
  const [foreign] = await asOwner(
    product.ownerUrl,
    `SELECT id FROM community c WHERE NOT EXISTS (
       SELECT FROM community_provider l WHERE l.community_id = c.id AND l.provider_id = $1) LIMIT 1`,
    [providerId],
  );
  expect((await create({ community_id: foreign?.id })).statusCode).toBe(404);
});

test('a change records its author, whatever the caller claims, in one audit entry', async () => {
  const answer = await change({ status: 'connected', last_updated_by: 'somebody else' });
  expect(answer.json().data).toMatchObject({ status: 'connected', last_updated_by: 'staff@demo.example' });
  const entries = await asOwner(
    product.ownerUrl,
    `SELECT action, actor_name, before, after, request_id FROM audit_entry
     WHERE target_id = $1 AND action = 'trader.status_changed'`,
    [traderId],
  );
  expect(entries).toEqual([
    {
      action: 'trader.status_changed',
      actor_name: 'staff@demo.example',
      before: { status: 'pending' },
      after: { status: 'connected' },
      request_id: answer.headers['x-request-id'],
    },
  ]);
});

test('a service names the person behind a change, and the audit names the service', async () => {
  const superAdmin = await product.signIn('super');
  const created = await send(
    product.app,
    'POST /api/service-tokens',
    { body: { name: 'Trader bot', scopes: ['traders:write'], provider_ids: [providerId] } },
    superAdmin,
  );
  const bot = created.json().data.token;
  const named = await change({ language: 'es', last_updated_by: ' Nora of support ' }, bot);
  expect(named.json().data.last_updated_by).toBe('Nora of support');
  for (const [language, last_updated_by] of [
    ['pl', undefined],
    ['ru', '  '],
  ])
    expect((await change({ language, last_updated_by }, bot)).json().data.last_updated_by).toBe('Trader bot');
  const entries = await asOwner(
    product.ownerUrl,
    `SELECT actor_kind, actor_name FROM audit_entry WHERE target_id = $1 AND action = 'trader.changed'`,
    [traderId],
  );
  expect(entries).toEqual(Array(3).fill({ actor_kind: 'service', actor_name: 'Trader bot' }));
});

test('setting the present value changes nothing and is not recorded', async () => {
  const before = (await change({ status: 'pending' })).json().data;
  const [{ count } = { count: -1 }] = await asOwner(
    product.ownerUrl,
    `SELECT count(*)::int AS count FROM audit_entry WHERE target_id = $1 AND action LIKE 'trader.%changed'`,
    [traderId],
  );
  expect(count).toBe(0);
  expect(before.updated_at).toBe(before.created_at);
});

test('a reference number is unique, and an empty one clears it', async () => {
  await change({ reference_number: 'KAIT-7' });
  const other = (await create({})).json().data.id;
  const clash = await change({ reference_number: 'KAIT-7' }, staff, other);
  expect(clash.statusCode).toBe(409);
  expect(clash.json()).toEqual({
    success: false,
    error: 'reference_number_taken',
    message: 'This reference number belongs to another trader',
    details: [{ path: 'reference_number', message: 'This reference number belongs to another trader' }],
  });
  const inOtherLetters = await change({ reference_number: 'kait-7' }, staff, other);
  expect(inOtherLetters.json().error).toBe('reference_number_taken');
  expect((await change({ reference_number: 'Kait-7' })).json().data.reference_number).toBe('Kait-7');
  expect((await change({ reference_number: '' })).json().data.reference_number).toBeNull();
  expect((await change({ reference_number: 'KAIT-7' }, staff, other)).statusCode).toBe(200);
});

test('of two numbers of the past that differ in letters only, the older one counts', async () => {
  const owner = (text: string, values: unknown[] = []) =>
    asOwner<{ n: number }>(product.ownerUrl, text, values);
  const [first, second] = [(await create({})).json().data.id, (await create({})).json().data.id];
  await owner('ALTER TABLE trader DISABLE TRIGGER reference_compared');
  await owner("UPDATE trader SET reference_number = 'OLD-1' WHERE id = $1", [first]);
  await owner("UPDATE trader SET reference_number = 'old-1', reference_clash = true WHERE id = $1", [second]);
  await owner('ALTER TABLE trader ENABLE TRIGGER reference_compared');
  expect((await change({ status: 'delinquent' }, staff, second)).statusCode).toBe(200);
  expect((await change({ reference_number: 'Old-1' }, staff, second)).json().error).toBe(
    'reference_number_taken',
  );
  const clashing = async () =>
    (await owner('SELECT count(*)::int AS n FROM trader WHERE reference_clash'))[0]?.n;
  expect(await clashing()).toBe(1);
  // The older one leaves it: the number is the other one's now, which may write it as it likes.
  expect((await change({ reference_number: 'other-1' }, staff, first)).statusCode).toBe(200);
  expect(await clashing()).toBe(0);
  expect((await change({ reference_number: 'OLD-1' }, staff, first)).json().error).toBe(
    'reference_number_taken',
  );
  expect((await change({ reference_number: 'Old-1' }, staff, second)).statusCode).toBe(200);
});

test.each([
  "Robert'); DROP TABLE trader;--",
  '<img src=x onerror=alert(1)>',
  '\\x00 \\N \t tab',
  '=1+1',
  'ąęć 𝔘 🚀',
])('text is stored and shown as text: %s', async (text) => {
  const wanted = text.trim();
  const answer = await change({ reference_number: `${text}` });
  if (/\t/.test(text)) expect(answer.statusCode).toBe(400);
  else expect(answer.json().data.reference_number).toBe(wanted);
  await change({ reference_number: null });
});

test.each([
  [{ status: 'gone' }, 'status', "Expected 'pending' | 'connected' | 'delinquent', received 'gone'"],
  [{ language: 'fr' }, 'language', "Expected 'en' | 'es' | 'ar' | 'pl' | 'ru', received 'fr'"],
  [{ reference_number: 7 }, 'reference_number', 'Expected string | null, received number'],
  [{ reference_number: 'x'.repeat(201) }, 'reference_number', 'Invalid input: at most 200 characters'],
  [{ aum: 1 }, 'aum', 'Invalid input'],
  [{ super: true }, 'super', 'Invalid input'],
  [{ external_wallet_address: 'T123' }, 'external_wallet_address', 'Invalid input: not an EVM address'],
  [
    { external_wallet_address: '0x52908400098527886E0F7030069857D2E4169Ee7' },
    'external_wallet_address',
    'Invalid input: the checksum of the address is wrong',
  ],
])('refuses %o', async (body, path, message) => {
  const answer = await change(body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().details).toContainEqual({ path, message });
});

test('a wallet address is kept in its checksummed form', async () => {
  const answer = await change({ external_wallet_address: '0x52908400098527886e0f7030069857d2e4169ee7' });
  expect(answer.json().data.external_wallet_address).toBe('0x52908400098527886E0F7030069857D2E4169EE7');
});

test('a trader without records is deleted, one with an exchange account is not', async () => {
  const gone = await send(product.app, 'DELETE /api/traders/{id}', { params: { id: traderId } }, superAdmin);
  expect(gone.statusCode).toBe(200);
  expect((await change({ status: 'connected' })).statusCode).toBe(404);
  const [kept] = await asOwner(product.ownerUrl, 'SELECT trader_id FROM exchange_account LIMIT 1');
  const refused = await send(
    product.app,
    'DELETE /api/traders/{id}',
    { params: { id: kept?.trader_id } },
    superAdmin,
  );
  expect(refused.json()).toMatchObject({ error: 'trader_has_records' });
});

test('a trader whose referrals have invoices is not deleted: its shares would go to the next referrer', async () => {
  const [invoiced] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT t.id FROM trader t JOIN invoice i ON i.trader_id = t.id
     WHERE t.referred_by_trader_id IS NULL LIMIT 1`,
  );
  const remove = () =>
    send(product.app, 'DELETE /api/traders/{id}', { params: { id: traderId } }, superAdmin);
  const setReferrer = (referrer: string | null) =>
    asOwner(product.ownerUrl, 'UPDATE trader SET referred_by_trader_id = $2 WHERE id = $1', [
      invoiced?.id,
      referrer,
    ]);
  await setReferrer(traderId);
  expect((await remove()).json()).toMatchObject({ error: 'trader_has_referrals' });
  await setReferrer(null);
  expect((await remove()).statusCode).toBe(200);
});

test('a trader has one referrer, never itself, and never in a circle', async () => {
  const codeOf = async (id: string) =>
    (
      await send(
        product.app,
        'GET /api/traders/{id}',
        { params: { id }, query: { include_referral_code: 'true', include_referrals: 'true' } },
        staff,
      )
    ).json().data;
  const refer = (id: string, code: string) =>
    send(product.app, 'POST /api/traders/referral', { body: { trader_id: id, referral_code: code } }, staff);
  const child = (await create({})).json().data.id;
  const parent = await codeOf(traderId);

  expect((await refer(traderId, parent.referral_code)).json().error).toBe('referral_refused');
  expect((await refer(child, parent.referral_code)).statusCode).toBe(200);
  expect((await refer(child, parent.referral_code)).json().error).toBe('trader_already_referred');
  expect((await refer(traderId, (await codeOf(child)).referral_code)).json().error).toBe('referral_refused');
  expect((await codeOf(traderId)).referrals).toEqual({ count: 1, total_aum: '0' });

  const renewed = await send(
    product.app,
    'POST /api/traders/{id}/referrals/regenerate',
    { params: { id: traderId } },
    staff,
  );
  expect(renewed.json().data.referral_code).not.toBe(parent.referral_code);
  const old = await send(
    product.app,
    'GET /api/traders/referral-info/{code}',
    { params: { code: parent.referral_code } },
    staff,
  );
  expect(old.statusCode).toBe(404);
});

test('a referral code of another provider is answered like one that does not exist, and a super admin may use it', async () => {
  const [owner] = await asOwner<{ id: string; code: string }>(
    product.ownerUrl,
    `SELECT id, referral_code AS code FROM trader t WHERE NOT EXISTS (
       SELECT FROM trader_provider p WHERE p.trader_id = t.id AND p.provider_id = $1) LIMIT 1`,
    [providerId],
  );
  const code = owner?.code ?? '';
  const refer = (used: string, as: string) => {
    const body = { trader_id: traderId, referral_code: used };
    return send(product.app, 'POST /api/traders/referral', { body }, as);
  };
  for (const [known, unknown] of [
    [await create({ referral_code: code }), await create({ referral_code: 'NOPE2345' })],
    [await refer(code, staff), await refer('NOPE2345', staff)],
  ]) {
    expect([known?.statusCode, known?.body]).toEqual([404, unknown?.body]);
    expect(known?.json().message).toMatch(/^Not found: no trader that you can see has this referral code\. /);
  }
  expect((await refer('NOPE2345', superAdmin)).json().message).toBe(
    'Not found: no trader has this referral code',
  );
  expect((await refer(code, superAdmin)).json().data).toMatchObject({ referred_by_trader_id: owner?.id });
});

test('many changes at once leave one unbroken audit chain, and any tampering shows', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await create({})).json().data.id as string),
  );
  await Promise.all(
    ids.flatMap((id) => ['connected', 'delinquent'].map((status) => change({ status }, staff, id))),
  );
  const verify = () =>
    product.db.read({ kind: 'all' }, (tx) => verifyAudit(tx.sql, { chain: AUDIT_KEY, worker: null }, 7));
  await sealAudit(product.db);
  expect(await verify()).toMatchObject({ intact: true, unsealed: 0 });

  // Only the owner of the schema can get past the trigger, and it does not have the key.
  const tamper = (statement: string) =>
    asOwner(
      product.ownerUrl,
      `DO $$ BEGIN
         ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
         ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
         ${statement};
         ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
         ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only;
       END $$`,
    );
  await tamper(`UPDATE audit_entry SET actor_name = 'nobody' WHERE seq = 5`);
  expect(await verify()).toEqual({ intact: false, seq: '5', reason: 'altered_entry' });
  await tamper('DELETE FROM audit_entry WHERE seq = 3');
  expect(await verify()).toEqual({ intact: false, seq: '3', reason: 'missing_entry' });
});

test('the application can neither change nor remove an audit entry', async () => {
  const attempt = (text: string) => createStatements(product.db.pool).query(text);
  await expect(attempt(`UPDATE audit_entry SET actor_name = 'x'`)).rejects.toThrow(/permission denied/);
  await expect(attempt('DELETE FROM audit_entry')).rejects.toThrow(/permission denied/);
  await expect(asOwner(product.ownerUrl, 'TRUNCATE audit_entry')).rejects.toThrow(/append-only/);
});
