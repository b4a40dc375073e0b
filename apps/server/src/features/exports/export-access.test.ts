import type { StaffRole } from '@copydesk/domain/access';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { giveAccess } from '../../../../../tests/support/identity/give-access.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import {
  createExportsWorld,
  type ExportsWorld,
  gatedParts,
} from '../../../../../tests/support/world/exports-world.ts';

let product: TestApp;
let world: ExportsWorld;
let superAdmin: string;
let staff: string;
let staffId: string;
let providers: string[];

beforeAll(async () => {
  product = await createTestApp();
  world = createExportsWorld(product, () => new Date());
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff-multi');
  const [person] = await asOwner<{ id: string; provider_ids: string[] }>(
    product.ownerUrl,
    `SELECT id, provider_ids FROM identity.person WHERE email = 'staff-multi@demo.example'`,
  );
  staffId = person?.id ?? '';
  providers = person?.provider_ids ?? [];
});
afterAll(() => product.close());
afterEach(async () => {
  await give({ staff_roles: {}, provider_access: providers, disabled: false });
  await world.clear();
});

const give = async (wanted: Parameters<typeof giveAccess>[3]) => {
  const answer = await giveAccess(product, superAdmin, staffId, wanted);
  expect(answer.status, answer.text).toBe(200);
};
const roles = (...each: StaffRole[]) =>
  Object.fromEntries(each.map((role, index) => [providers[index] ?? '', role]));
const refusal: ExportsWorld['refusal'] = (answer) => world.refusal(answer);
const CHANGED = {
  error: 'export_access_changed',
  message: 'Your access changed since this file was made: export again',
};

test("an export is its person's own: no one else has it, not even a super admin", async () => {
  const id = await world.begin(staff);
  world.startWorker();
  await world.ended(staff, id);
  for (const other of [superAdmin, await product.signIn('staff')]) {
    expect((await world.listed(other)).map((row) => row.id)).not.toContain(id);
    expect(await refusal(world.download(other, id))).toEqual([404, 'not_found']);
    expect(await refusal(world.as(other)('DELETE /api/exports/{id}', { params: { id } }))).toEqual([
      404,
      'not_found',
    ]);
  }
  expect((await world.download(staff, id)).statusCode).toBe(200);
});

test('neither a program nor who views as another person has exports', async () => {
  const id = await world.begin(staff);
  await world.as(superAdmin)('POST /api/users/{id}/view-as', { params: { id: staffId } });
  const viewing = world.as(superAdmin, { 'x-view-as': staffId });
  expect(await refusal(viewing('GET /api/exports'))).toEqual([403, 'person_required']);
  expect(await refusal(viewing('GET /api/exports/{id}/file', { params: { id } }))).toEqual([
    403,
    'person_required',
  ]);
  expect(await refusal(viewing('POST /api/exports', { body: { list: 'traders' } }))).toEqual([
    403,
    'view_as_read_only',
  ]);
  expect(await refusal(viewing('DELETE /api/exports/{id}', { params: { id } }))).toEqual([
    403,
    'view_as_read_only',
  ]);
  const token = await world.as(superAdmin)('POST /api/service-tokens', {
    body: { name: 'Reader', scopes: ['traders:read'], provider_ids: providers },
  });
  expect(token.statusCode, token.body).toBe(201);
  const program = `Bot_${token.json().data.token.replace(/^Bot_/, '')}`;
  for (const call of ['GET /api/exports', 'POST /api/exports'])
    expect(await refusal(world.as(program)(call))).toEqual([403, 'service_scope_required']);
});

test('whoever lost the right before a worker began gets no file', async () => {
  const id = await world.begin(staff);
  await give({ staff_roles: roles('viewer', 'viewer', 'viewer') });
  world.startWorker();
  await expect.poll(() => world.stored(id)).toMatchObject({ state: 'failed', parts: 0 });
  await give({ staff_roles: {} });
  expect(await world.find(staff, id)).toMatchObject({ reason: 'access_changed' });
});

test('nor who loses it while it is written: a provider, the right, the account', async () => {
  const losses = [
    { provider_access: providers.slice(1) },
    { staff_roles: roles('viewer') },
    { disabled: true },
  ] as const;
  for (const loss of losses) {
    const id = await world.begin(staff);
    const gate = gatedParts(product.db, 0);
    const worker = world.startWorker({ gate });
    await gate.arrived;
    await give(loss);
    gate.open();
    await expect.poll(() => world.stored(id)).toMatchObject({ state: 'failed', parts: 0 });
    await worker.stop();
    await give({ provider_access: providers, staff_roles: {}, disabled: false });
    staff = await product.signIn('staff-multi');
  }
});

test('a finished file is sent while the access covers its rows, whatever a process remembers', async () => {
  const id = await world.begin(staff);
  world.startWorker();
  await world.ended(staff, id);
  const losses = [{ provider_access: providers.slice(1) }, { staff_roles: roles('staff', 'operator') }];
  for (const loss of losses) {
    await give(loss);
    const refused = await world.download(staff, id);
    expect([refused.statusCode, refused.json()]).toEqual([403, { success: false, ...CHANGED }]);
    expect((await world.find(staff, id)).is_covered).toBe(false);
    await give({ provider_access: providers, staff_roles: {} });
    expect((await world.download(staff, id)).statusCode).toBe(200);
  }
  // In the database only: this process still has the flags of before.
  await asOwner(product.ownerUrl, `UPDATE identity.user_access SET provider_ids = '{}' WHERE user_id = $1`, [
    staffId,
  ]);
  const refused = await world.download(staff, id);
  expect(refused.statusCode).toBe(403);
});

test('a file of a super admin is no longer sent once that person is staff', async () => {
  const promote = (isSuper: boolean) =>
    asOwner(
      product.ownerUrl,
      `UPDATE identity.user_access SET super = $2, super_since = CASE WHEN $2 THEN now() END WHERE user_id = $1`,
      [staffId, isSuper],
    );
  await promote(true);
  product.identity.forget(staffId);
  const id = await world.begin(staff, { list: 'audit', query: { kind: 'provider' } });
  world.startWorker();
  await world.ended(staff, id);
  expect((await world.download(staff, id)).statusCode).toBe(200);
  await promote(false);
  product.identity.forget(staffId);
  expect((await world.download(staff, id)).json()).toMatchObject(CHANGED);
});

test('work in one provider makes a file of this provider, and takes away those of others', async () => {
  const inFirst = { 'x-organization': providers[0] ?? '' };
  const one = await world.begin(staff, { list: 'traders' }, inFirst);
  const all = await world.begin(staff);
  world.startWorker();
  const [small, large] = [await world.ended(staff, one), await world.ended(staff, all)];
  expect(small.rows).toBeGreaterThan(0);
  expect(small.rows).toBeLessThan(large.rows);
  const streamed = await world.as(staff, inFirst)('GET /api/traders/export');
  expect((await world.download(staff, one)).body).toBe(streamed.body);
  expect((await world.download(staff, one, inFirst)).statusCode).toBe(200);
  expect((await world.download(staff, all, inFirst)).json()).toMatchObject({
    error: 'export_access_changed',
    message: expect.stringContaining('other providers than the one you work in'),
  });
  const inSecond = { 'x-organization': providers[1] ?? '' };
  expect(await refusal(world.download(staff, one, inSecond))).toEqual([403, 'export_access_changed']);
});
