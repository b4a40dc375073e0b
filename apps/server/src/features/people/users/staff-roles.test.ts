import type { StaffRole } from '@copydesk/domain/access';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../../tests/support/csv-lines.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let userId: string;
let providers: string[];
beforeAll(async () => {
  product = await createTestApp();
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff-multi');
  const [person] = await asOwner<{ id: string; provider_ids: string[] }>(
    product.ownerUrl,
    `SELECT id, provider_ids FROM identity.person WHERE email = 'staff-multi@demo.example'`,
  );
  if (!person) throw new Error('the persona is missing');
  userId = person.id;
  providers = person.provider_ids;
});
afterAll(() => product.close());

const as =
  (who: string) =>
  (call: string, parts: Parameters<typeof send>[2] = {}) =>
    send(product.app, call, parts, who);
const give = async (staff_roles: Record<string, StaffRole>, provider_access?: string[]) => {
  const wanted = { staff_roles, ...(provider_access && { provider_access }) };
  const answer = await giveAccess(product, superAdmin, userId, wanted);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const at = (...roles: (StaffRole | undefined)[]) =>
  Object.fromEntries(roles.flatMap((role, index) => (role ? [[providers[index] ?? '', role]] : [])));

/** A trader who is seen through this provider alone. */
async function traderOf(providerId: string | undefined): Promise<string> {
  const [trader] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT t.id FROM trader t WHERE t.selected_provider_id = '${providerId}'
     AND NOT EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = t.id AND p.provider_id <> '${providerId}')
     LIMIT 1`,
  );
  if (!trader) throw new Error('no such trader');
  return trader.id;
}
const rename = (who: string, id: string) =>
  as(who)('PATCH /api/traders/{id}', { params: { id }, body: { language: 'pl' } });

test('without another role, staff may do what the console gives them', async () => {
  const id = await traderOf(providers[0]);
  expect((await rename(staff, id)).statusCode).toBe(200);
  expect((await as(staff)('GET /api/traders/export')).statusCode).toBe(200);
  const { providers: mine } = (await as(staff)('GET /api/me')).json().data;
  expect(mine.map(({ role }: { role: string }) => role)).toEqual(['staff', 'staff', 'staff']);
});

test('viewers read, and neither change, nor reveal, nor export', async () => {
  await give(at('viewer', 'viewer', 'viewer'));
  const id = await traderOf(providers[0]);
  expect((await as(staff)('GET /api/traders/{id}', { params: { id } })).statusCode).toBe(200);
  for (const refused of [
    await rename(staff, id),
    await as(staff)('GET /api/traders/export'),
    await as(staff)('GET /api/invoices/export'),
    await as(staff)('POST /api/traders/{id}/exchange/reveal', {
      params: { id },
      body: { exchange: 'bybit', acc_uid: 'any', field: 'api_key' },
    }),
  ]) {
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error).toBe('role_required');
  }
});

test('a role holds at its provider alone', async () => {
  await give(at('operator', 'viewer', 'viewer'));
  const [writable, readable] = await Promise.all([traderOf(providers[0]), traderOf(providers[1])]);
  expect((await rename(staff, writable)).statusCode).toBe(200);
  expect((await as(staff)('GET /api/traders/{id}', { params: { id: readable } })).statusCode).toBe(200);
  const refused = await rename(staff, readable);
  const missing = await rename(staff, '00000000-0000-4000-8000-00000000dead');
  expect(refused.json()).toMatchObject({ error: 'role_required' });
  expect(missing.body).toBe(refused.body);
  const [unchanged] = await asOwner<{ language: string }>(
    product.ownerUrl,
    `SELECT language FROM trader WHERE id = '${readable}'`,
  );
  expect(unchanged?.language).not.toBe('pl');
});

test('a new trader belongs to a provider whose traders may be changed', async () => {
  await give(at('operator', 'viewer', 'viewer'));
  const [link] = await asOwner<{ community_id: string; provider_id: string }>(
    product.ownerUrl,
    `SELECT community_id, provider_id FROM community_provider WHERE provider_id = '${providers[1]}' LIMIT 1`,
  );
  const body = { community_id: link?.community_id, selected_provider_id: link?.provider_id, name: 'New' };
  const refused = await as(staff)('POST /api/traders', { body });
  expect([403, 404]).toContain(refused.statusCode);
  expect(refused.json().error).toBe('role_required');
});

test('an answer that says what is missing stays, and a guess at the role is not held against the person', async () => {
  await give(at('owner', 'viewer', 'viewer'));
  const recorded = async () => {
    await product.securityLog.flush();
    return asOwner<{ call: string }>(
      product.ownerUrl,
      `SELECT call FROM refused_attempt WHERE code = 'role_required' AND caller_id = '${userId}' ORDER BY call`,
    );
  };
  const before = await recorded();
  const [link] = await asOwner<{ community_id: string; provider_id: string }>(
    product.ownerUrl,
    `SELECT community_id, provider_id FROM community_provider JOIN community c ON c.id = community_id
     WHERE provider_id = '${providers[0]}' AND NOT c.is_archived LIMIT 1`,
  );
  const answer = await as(staff)('POST /api/traders', {
    body: {
      community_id: link?.community_id,
      selected_provider_id: link?.provider_id,
      name: 'New',
      referral_code: 'NOPE1234',
    },
  });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({
    error: 'not_found',
    message: expect.stringContaining('has this referral code'),
  });
  const guessed = await as(staff)('POST /api/traders/{id}/refresh-aum', {
    params: { id: '00000000-0000-4000-8000-00000000dead' },
  });
  expect(guessed.json().error).toBe('role_required');
  expect(await recorded()).toEqual(before);
  // The gate knows: no role of this person has the capability.
  await give(at('viewer', 'viewer', 'viewer'));
  await as(staff)('POST /api/traders/{id}/refresh-aum', {
    params: { id: '00000000-0000-4000-8000-00000000dead' },
  });
  expect(await recorded()).toContainEqual({ call: 'POST /api/traders/{id}/refresh-aum' });
});

test('an export has the rows of the providers whose role allows it', async () => {
  await give(at('finance', 'viewer', 'viewer'));
  const csv = await as(staff)('GET /api/traders/export');
  expect(csv.statusCode).toBe(200);
  const expected = await asOwner<{ n: number }>(
    product.ownerUrl,
    `SELECT count(DISTINCT trader_id)::int AS n FROM trader_provider WHERE provider_id = '${providers[0]}'`,
  );
  expect(linesOfCsv(csv.body)).toHaveLength((expected[0]?.n ?? 0) + 1);
  const { meta } = (await as(staff)('GET /api/traders', { query: { limit: '1' } })).json();
  expect(meta.total).toBeGreaterThan(expected[0]?.n ?? 0);
});

test('owners see who has access to their provider; others do not', async () => {
  await give(at('owner', 'staff', 'staff'));
  const people = (id: string | undefined, who = staff) =>
    as(who)('GET /api/providers/{id}/people', { params: { id: id ?? '' } });
  const { data } = (await people(providers[0])).json();
  expect(data).toContainEqual(
    expect.objectContaining({ id: userId, role: 'owner', email: 'staff-multi@demo.example' }),
  );
  expect((await people(providers[1])).json().error).toBe('role_required');
  expect((await people(providers[1], superAdmin)).statusCode).toBe(200);
});

test('roles end with the access to their provider, and a default role is not stored', async () => {
  const changed = await give(at('viewer', 'staff', 'finance'), providers.slice(0, 2));
  expect(changed.staff_roles).toEqual(at('viewer'));
  const again = await giveAccess(product, superAdmin, userId, { provider_access: providers });
  expect(again.body.data.staff_roles).toEqual(at('viewer'));
  const unknown = await as(superAdmin)('PATCH /api/users/{id}', {
    params: { id: userId },
    body: { staff_roles: { [providers[0] ?? '']: 'god' } },
  });
  expect(unknown.statusCode).toBe(400);
  const [entry] = await asOwner<{ before: object; after: object }>(
    product.ownerUrl,
    `SELECT before, after FROM audit_entry WHERE action = 'user.changed' ORDER BY seq DESC LIMIT 1`,
  );
  expect(entry?.after).toMatchObject({ staff_roles: at('viewer') });
});

test('a program never has more than the role of its owner', async () => {
  await give({});
  const promote = (isSuper: boolean) => giveAccess(product, superAdmin, userId, { super: isSuper });
  await promote(true);
  const created = await as(await product.signIn('staff-multi'))('POST /api/service-tokens', {
    body: { name: 'Writer', scopes: ['traders:read', 'traders:write'], provider_ids: providers },
  });
  expect(created.statusCode, created.body).toBe(201);
  const program = `Bot_${created.json().data.token.replace(/^Bot_/, '')}`;
  const id = await traderOf(providers[0]);
  expect((await rename(program, id)).statusCode).toBe(200);
  await promote(false);
  expect((await rename(program, id)).statusCode).toBe(200);
  await give(at('viewer', 'viewer', 'viewer'));
  expect((await rename(program, id)).json().error).toBe('role_required');
  expect((await as(program)('GET /api/traders/{id}', { params: { id } })).statusCode).toBe(200);
});

test('viewing as a person has the limits of its roles', async () => {
  await give(at('viewer', 'viewer', 'viewer'));
  await as(superAdmin)('POST /api/users/{id}/view-as', { params: { id: userId } });
  const view = { 'x-view-as': userId };
  const exported = await send(product.app, 'GET /api/traders/export', {}, superAdmin, view);
  expect(exported.json().error).toBe('role_required');
  expect((await send(product.app, 'GET /api/traders', {}, superAdmin, view)).statusCode).toBe(200);
});

test('staff can neither read nor change roles', async () => {
  await give(at('owner', 'owner', 'owner'));
  const own = await as(staff)('PATCH /api/users/{id}', {
    params: { id: userId },
    body: { staff_roles: {} },
  });
  expect(own.json().error).toBe('super_admin_required');
  expect((await as(staff)('GET /api/access/calls')).statusCode).toBe(403);
  const { data } = (await as(superAdmin)('GET /api/access/calls')).json();
  expect(data).toContainEqual(
    expect.objectContaining({
      call: 'PATCH /api/traders/{id}',
      capability: 'traders:write',
      recent_auth_fields: ['external_wallet_address', 'telegram_user_id', 'email'],
    }),
  );
});
