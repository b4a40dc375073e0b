import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveAccess } from '../../../../../tests/support/identity/give-access.ts';
import {
  accept,
  addSuperAdmin,
  type EnrolledPerson,
  enrol,
  invite,
  type Person,
  signInWithCode,
} from '../../../../../tests/support/identity/people.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../tests/support/world/owing-world.ts';

// Everything that one person could try who wants to pay out alone.

let world: OwingWorld;
let community: OwingCommunity;
let people = 0;
const newEmail = (name: string) => `${name}-${++people}@example.com`;

beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

async function requestBy(authorization: string): Promise<string> {
  await world.addPaid(community, 100);
  const { status, body } = await world.distribute(community.id, {}, {}, authorization);
  expect([status, body.message]).toEqual([200, expect.stringContaining('another super admin')]);
  return body.data.distribution?.id as string;
}
const approve = (id: string, as: string) =>
  world.ask('POST /api/super-admin/distributions/{id}/approve', { params: { id } }, {}, as);
const change = (id: string, body: object, as: string) => giveAccess(world, as, id, body);
const confirm = (id: string, as: string) =>
  world.ask('POST /api/users/{id}/confirm', { params: { id } }, {}, as);
const add = (by: string, name = 'new') => addSuperAdmin(world, by, newEmail(name));
/** As if it had been a super admin for long. */
const age = ({ id }: Person) =>
  world.owner(
    "UPDATE identity.user_access SET super_since = now() - interval '25 hours' WHERE user_id = $1",
    [id],
  );
const listed = async (as: string) => {
  const { body } = await world.ask(
    'GET /api/super-admin/communities/{id}/distributions',
    { params: { id: community.id }, query: {} },
    {},
    as,
  );
  return body.data[0]?.approval_refusal?.code ?? null;
};

async function expectRefused(id: string, as: string, code: string) {
  expect(await listed(as)).toBe(code);
  const answer = await approve(id, as);
  expect([answer.status, answer.body.error]).toEqual([403, code]);
  expect(answer.body.message).toMatch(/another super admin|ask a super admin/i);
  expect(await world.transfersOf(community.id)).toEqual([]);
}

test('with a super admin whom the requester invited, at any age', async () => {
  const puppet = await add(world.token);
  await age(puppet);
  const id = await requestBy(world.token);
  await expectRefused(id, puppet.authorization, 'approver_not_independent');
});

test('the other way round: the puppet asks, and its maker approves', async () => {
  const puppet = await add(world.token);
  const id = await requestBy(puppet.authorization);
  await expectRefused(id, world.token, 'requester_not_independent');
  expect((await approve(id, world.other)).status).toBe(200);
});

test('with a member of staff whom the requester promoted, demoted and promoted again', async () => {
  const email = newEmail('staff');
  const staff = await enrol(
    world,
    await accept(world, { email, ...(await invite(world, world.other, { email })) }),
  );
  await change(staff.id, { super: true }, world.token);
  await age(staff);
  const id = await requestBy(world.token);
  await expectRefused(id, staff.authorization, 'approver_not_independent');
  expect((await confirm(staff.id, world.token)).body.error).toBe('confirmation_not_independent');
  await change(staff.id, { super: false }, world.token);
  await change(staff.id, { super: true }, world.token);
  await age(staff);
  await expectRefused(id, staff.authorization, 'approver_not_independent');
});

test('by having a confirmed super admin demoted and promoted again: that takes the confirmation', async () => {
  const colleague = await add(world.other);
  expect((await confirm(colleague.id, world.token)).status).toBe(200);
  await age(colleague);
  await change(colleague.id, { super: false }, world.token);
  await change(colleague.id, { super: true }, world.token);
  await age(colleague);
  const id = await requestBy(world.token);
  await expectRefused(id, colleague.authorization, 'approver_not_independent');
});

test('by enabling a former colleague again', async () => {
  const left = await add(world.other);
  await confirm(left.id, world.token);
  await change(left.id, { disabled: true }, world.other);
  await change(left.id, { disabled: false }, world.token);
  const back = await signInAgain(left);
  await age(back);
  await expectRefused(await requestBy(world.token), back.authorization, 'approver_not_independent');
});

test('by a second invitation, which does not wash the first one away', async () => {
  const email = newEmail('twice');
  await invite(world, world.token, { email, super: true });
  const again = await invite(world, world.other, { email, super: true });
  const person = await enrol(world, await accept(world, { email, ...again }));
  await age(person);
  await expectRefused(await requestBy(world.token), person.authorization, 'approver_not_independent');
  expect((await confirm(person.id, world.token)).body.error).toBe('confirmation_not_independent');
});

test('through a chain: the puppet makes a puppet', async () => {
  const first = await add(world.token, 'first');
  const second = await add(first.authorization, 'second');
  await age(second);
  const id = await requestBy(world.token);
  await expectRefused(id, second.authorization, 'approver_not_independent');
  expect((await confirm(second.id, first.authorization)).body.error).toBe('confirmer_not_confirmed');
  expect((await confirm(second.id, world.token)).body.error).toBe('confirmation_not_independent');
  // Also once the first puppet has been taken away again.
  await change(first.id, { super: false }, world.token);
  expect((await confirm(second.id, world.token)).body.error).toBe('confirmation_not_independent');
  await expectRefused(id, second.authorization, 'approver_not_independent');
});

test('as a super admin of an hour, made and confirmed by others', async () => {
  const fresh = await add(world.other);
  expect((await confirm(fresh.id, world.token)).status).toBe(200);
  const id = await requestBy(world.other);
  const answer = await approve(id, fresh.authorization);
  expect(answer).toMatchObject({ status: 403, body: { error: 'approver_too_new' } });
  expect(answer.body.message).toMatch(/from \d{4}-\d\d-\d\d \d\d:\d\d UTC on/);
  await age(fresh);
  expect((await approve(id, fresh.authorization)).status).toBe(200);
});

test('by taking the only other one away and making a new one', async () => {
  const { body } = await world.ask('GET /api/users', { query: { search: 'super-2@' } });
  const second = body.data[0]?.id as string;
  await world.owner('UPDATE identity.user_access SET disabled_at = now() WHERE user_id = $1', [second]);
  try {
    const email = newEmail('vouched');
    // Invited by the one who is gone, so that the requester is no sponsor of it.
    const invited = await invite(world, world.token, { email, super: true });
    await world.owner('UPDATE identity.user_sponsor SET sponsor_id = $1 WHERE user_id = $2', [
      second,
      invited.id,
    ]);
    const person = await enrol(world, await accept(world, { email, ...invited }));
    await world.owner(
      `UPDATE identity.user_access SET disabled_at = now() WHERE super AND confirmed_at IS NOT NULL
       AND user_id NOT IN (SELECT id FROM identity."user" WHERE email = 'super@demo.example')`,
    );
    expect((await confirm(person.id, world.token)).body.error).toBe('operator_confirmation_required');
    await age(person);
    await expectRefused(await requestBy(world.token), person.authorization, 'approver_not_confirmed');
  } finally {
    await world.owner('UPDATE identity.user_access SET disabled_at = NULL WHERE user_id = $1', [second]);
  }
});

test('under another name: the id counts, and the address cannot be changed', async () => {
  const puppet = await add(world.token);
  await age(puppet);
  const id = await requestBy(world.token);
  const renamed = await world.app.inject({
    method: 'POST',
    url: '/api/auth/change-email',
    headers: { origin: 'http://localhost:3000', cookie: puppet.cookie },
    payload: { newEmail: 'super-2@demo.example' },
  });
  expect(renamed.statusCode).toBe(404);
  await world.owner(`UPDATE identity."user" SET email = $2, name = $2 WHERE id = $1`, [
    puppet.id,
    newEmail('x'),
  ]);
  await expectRefused(id, puppet.authorization, 'approver_not_independent');
});

test('with a service token of an independent super admin', async () => {
  const id = await requestBy(world.token);
  const [provider] = await world.owner<{ id: string }>('SELECT id FROM provider LIMIT 1');
  const created = await world.askAnything(
    'POST /api/service-tokens',
    { body: { name: 'Bot', scopes: ['traders:write'], provider_ids: [provider?.id] } },
    {},
    world.other,
  );
  const { token } = (created.body as unknown as { data: { token: string } }).data;
  expect((await approve(id, token)).body.error).toBe('service_scope_required');
});

test('past the application: the database refuses as well', async () => {
  const puppet = await add(world.token);
  const id = await requestBy(world.token);
  const approveAs = (approver: string) =>
    world.owner(
      `UPDATE distribution SET state = 'approved', decided_by_id = $2, decided_by = 'x', decided_at = now() WHERE id = $1`,
      [id, approver],
    );
  await expect(approveAs(puppet.id)).rejects.toThrow(/independent/);
  await expect(approveAs('system')).rejects.toThrow(/independent/);
  const [maker] = await world.owner<{ id: string }>(
    `SELECT id::text FROM identity."user" WHERE email = 'super@demo.example'`,
  );
  const confirmAs = (by: string) =>
    world.owner(
      'UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = $2 WHERE user_id = $1',
      [puppet.id, by],
    );
  await expect(confirmAs(maker?.id as string)).rejects.toThrow(/independent/);
  await expect(confirmAs(puppet.id)).rejects.toThrow(/independent|nobody_confirms_itself/);
  const puppets = await requestBy(puppet.authorization).catch(() => null);
  expect(puppets).not.toBeNull();
});

test('an independent confirmation settles it', async () => {
  const person = await add(world.token);
  await age(person);
  const id = await requestBy(world.token);
  const { status, body } = await confirm(person.id, world.other);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    confirmed: true,
    confirmed_by: 'super-2@demo.example',
    invited_by: 'super@demo.example',
  });
  expect(await listed(person.authorization)).toBeNull();
  expect((await approve(id, person.authorization)).status).toBe(200);
  expect((await world.auditOf(person.id)).map(({ action }) => action)).toEqual([
    'user.invited',
    'user.invitation_shown',
    'user.invitation_accepted',
    'user.confirmed',
  ]);
});

async function signInAgain(person: EnrolledPerson): Promise<EnrolledPerson> {
  return signInWithCode(world, person);
}
