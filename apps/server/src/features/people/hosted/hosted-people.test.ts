import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import {
  createHostedWorld,
  type HostedWorld,
} from '../../../../../../tests/support/identity/hosted-world.ts';
import { until } from '../../../../../../tests/support/until.ts';

let world: HostedWorld;
let root: Awaited<ReturnType<HostedWorld['person']>>;
let providers: string[];

beforeAll(async () => {
  world = await createHostedWorld();
  root = await world.person({ super: true }, { code: '123456' });
  const listed = await world.as(asRoot(), ['GET', '/api/providers']);
  providers = listed.body.data.map(({ id }: { id: string }) => id);
});
afterAll(() => world?.close());

const asRoot = () => world.authorize(root.session.id);
const get = async (authorization: string, url = '/api/me') => {
  const { status, body } = await world.as(authorization, ['GET', url]);
  return status === 200 ? status : [status, body.error];
};
const userOf = async (email: string) => {
  const { body } = await world.as(asRoot(), ['GET', `/api/users?search=${encodeURIComponent(email)}`]);
  return body.data[0];
};
const auditOf = async (id: string) =>
  (
    await world.owner<{ action: string; actor_name: string }>(
      'SELECT action, actor_name FROM audit_entry WHERE target_id = $1 ORDER BY seq',
      [id],
    )
  ).map(({ action, actor_name }) => `${actor_name}: ${action}`);

test('at first sight the metadata grants, to a super admin who still has to be confirmed', async () => {
  const staff = await world.person({ admin: true, providerAccess: [providers[0], 'no id', providers[0]] });
  expect(staff.me.body.data).toMatchObject({ admin: true, super: false, providers: [{ id: providers[0] }] });
  const second = await userOf(root.user.email);
  expect(second).toMatchObject({ super: true, confirmed: false, active: true, two_factor_enabled: true });
  expect(await auditOf(second.id)).toEqual(['Clerk: user.joined']);
  // An unconfirmed super admin confirms no other one, and not itself.
  const other = await world.person({ super: true }, { code: '123456' });
  const own = await world.as(other.authorization, ['POST', `/api/users/${other.me.body.data.id}/confirm`]);
  expect(own.body.error).toBe('own_confirmation');
  const foreign = await world.as(other.authorization, ['POST', `/api/users/${second.id}/confirm`]);
  expect(foreign.status).toBe(403);
});

test('a stranger who signs up gets no rights, and an unknown provider grants none', async () => {
  const stranger = await world.person({ providerAccess: ['0000000a-0000-4000-8000-000000000000'] });
  expect(stranger.me.body.data).toMatchObject({ admin: false, super: false, providers: [] });
  expect(await get(stranger.authorization, '/api/traders')).toEqual([403, 'not_admin']);
});

test('later metadata grants nothing, and takes away what it granted', async () => {
  const { user, session } = await world.person({ admin: true, providerAccess: [providers[0]] });
  const { id } = await userOf(user.email);
  world.instance.changeUser(user.id, { metadata: { super: true, providerAccess: providers } });
  await world.work();
  const me = async () => (await world.as(world.authorize(session.id), ['GET', '/api/me'])).body.data;
  expect(await me()).toMatchObject({ admin: true, super: false, providers: [{ id: providers[0] }] });

  // Ours alone: the service never knew of it.
  await giveAccess(world.product, asRoot(), id, { provider_access: providers.slice(0, 3) });
  world.instance.changeUser(user.id, { metadata: { admin: true, providerAccess: [providers[1]] } });
  await world.work();
  await until(async () => (await me()).providers.length === 1, 3_000);
  expect((await me()).providers).toMatchObject([{ id: providers[1] }]);
  world.instance.changeUser(user.id, { metadata: {} });
  await world.work();
  await until(async () => (await get(world.authorize(session.id), '/api/traders')) !== 200, 3_000);
  expect(await get(world.authorize(session.id), '/api/traders')).toEqual([403, 'not_admin']);
  expect((await auditOf(id)).filter((entry) => entry === 'Clerk: user.changed')).toHaveLength(2);
});

test('memberships of organisations grant and end like metadata', async () => {
  const organization = world.instance.addOrganization('Second', { provider_id: providers[1] });
  const user = world.instance.addUser({ email: 'member@people.example', metadata: { admin: true } });
  const membership = world.instance.join(organization, user.id);
  const session = world.instance.openSession(user.id);
  const me = async () => (await world.as(world.authorize(session.id), ['GET', '/api/me'])).body.data;
  expect((await me()).providers).toMatchObject([{ id: providers[1] }]);
  await world.work();
  world.instance.leave(membership.id);
  await world.work();
  // The news travels through the database.
  await until(async () => (await me()).providers.length === 0, 3_000);
  world.instance.join(organization, user.id);
  await world.work();
  expect((await me()).providers).toEqual([]);
});

test('a token of an organisation narrows rights to its provider, together with the choice here', async () => {
  const [first, second, third] = providers as [string, string, string];
  const at = (name: string, metadata: Record<string, unknown>) =>
    world.instance.addOrganization(name, metadata);
  const own = at('Own', { provider_id: first });
  const none = at('None', {});
  const foreign = at('Foreign', { provider_id: third });
  const { user, session } = await world.person({ admin: true, providerAccess: [first, second] });
  for (const organization of [own, none]) world.instance.join(organization, user.id);
  await world.work();
  const me = async (organization: string | null, chosen?: string) => {
    session.organizationId = organization;
    const { status, body } = await call(world.product, ['GET', '/api/me'], {
      authorization: world.authorize(session.id),
      ...(chosen ? { headers: { 'x-organization': chosen } } : {}),
    });
    return status === 200
      ? [body.data.organization, body.data.providers.length, body.data.organizations.length]
      : body.error;
  };
  expect(await me(null)).toEqual([null, 2, 2]);
  expect(await me(own)).toEqual([first, 1, 2]);
  expect(await me(own, first)).toEqual([first, 1, 2]);
  expect(await me(own, second)).toBe('organization_ended');
  expect(await me(none)).toEqual([null, 2, 2]);
  expect(await me(none, second)).toEqual([second, 1, 2]);
  // Not a member, so the organisation is not known here.
  expect(await me(foreign)).toBe('organization_ended');
  expect(await me('org_nowhere')).toBe('organization_ended');
});

test('a token of an organisation gives nothing that a person does not have', async () => {
  const organization = world.instance.addOrganization('Later', { provider_id: providers[1] });
  const { user, session } = await world.person({ admin: true, providerAccess: [providers[0]] });
  world.instance.join(organization, user.id);
  await world.work();
  session.organizationId = organization;
  expect(await get(world.authorize(session.id))).toEqual([403, 'organization_ended']);
  // It would get more than it asked for.
  world.instance.join(organization, root.user.id);
  const other = world.instance.openSession(root.user.id, { secondFactor: true });
  other.organizationId = organization;
  expect(await get(world.authorize(other.id))).toEqual([403, 'organization_ended']);
});

test('a ban ends access, service tokens included, and its end does not give it back', async () => {
  const { user, session, me } = await world.person({ admin: true, providerAccess: [providers[0]] });
  const { id } = me.body.data;
  const token = world.authorize(session.id);
  expect(await get(token)).toBe(200);
  world.instance.ban(user.id);
  await world.work();
  // The news travels through the database.
  await until(async () => (await get(token)) !== 200, 3_000);
  expect(await get(token)).toEqual([401, 'account_disabled']);
  expect(await userOf(user.email)).toMatchObject({ disabled: true });
  world.instance.changeUser(user.id, { isBanned: false });
  await world.work();
  const again = world.instance.openSession(user.id);
  expect(await get(world.authorize(again.id))).toEqual([401, 'account_disabled']);
  await giveAccess(world.product, asRoot(), id, { disabled: false });
  expect(await get(world.authorize(again.id))).toBe(200);
});

test.each(['ended', 'removed', 'revoked'] as const)(
  'a session that is %s there ends here, alone',
  async (how) => {
    const { user, session } = await world.person({ admin: true });
    const other = world.instance.openSession(user.id);
    const [first, second] = [world.authorize(session.id), world.authorize(other.id)];
    expect([await get(first), await get(second)]).toEqual([200, 200]);
    world.instance.endSession(session.id, how);
    await world.work();
    await until(async () => (await get(first)) !== 200, 3_000);
    expect([await get(first), await get(second)]).toEqual([[401, 'invalid_token'], 200]);
  },
);

test('the end of a session that never called us is known before its first call', async () => {
  const { user } = await world.person({ admin: true });
  const session = world.instance.openSession(user.id);
  const token = world.authorize(session.id);
  world.instance.endSession(session.id, 'revoked');
  await world.work();
  expect(await get(token)).toEqual([401, 'invalid_token']);
});

test('a person has the sessions that called us, without what only the service knows of them', async () => {
  const { user, session, me } = await world.person({ admin: true });
  const other = world.instance.openSession(user.id);
  await get(world.authorize(other.id));
  const listed = async () => {
    const { body } = await world.as(asRoot(), ['GET', `/api/users/${me.body.data.id}`]);
    return body.data.sessions;
  };
  const unknown = { expires_at: null, address: null, browser: null, is_own: false };
  expect(await listed()).toMatchObject([
    { id: other.id, ...unknown },
    { id: session.id, ...unknown },
  ]);
  world.instance.endSession(session.id, 'ended');
  await world.work();
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([other.id]);
});

test('a super admin ends all sessions of a person, here at once and there by a worker', async () => {
  const { user, session, me } = await world.person({ admin: true });
  const unseen = world.instance.openSession(user.id);
  unseen.firstFactorAt -= 120_000;
  const token = world.authorize(session.id);
  const ended = await world.as(asRoot(), ['DELETE', `/api/users/${me.body.data.id}/sessions`]);
  expect(ended.body.data).toEqual({ ended: 1 });
  expect(await get(token)).toEqual([401, 'invalid_token']);
  // It never called us, and began before.
  expect(await get(world.authorize(unseen.id))).toEqual([401, 'invalid_token']);
  expect(session.status).toBe('active');
  await world.work();
  expect([session.status, unseen.status]).toEqual(['revoked', 'revoked']);
  const later = world.instance.openSession(user.id);
  expect(await get(world.authorize(later.id))).toBe(200);
});

test('a deleted person is disabled here, and the address is not taken over', async () => {
  const { user, session, me } = await world.person({ admin: true, providerAccess: [providers[0]] });
  const token = world.authorize(session.id);
  world.instance.deleteUser(user.id);
  await world.work();
  await until(async () => (await get(token)) !== 200, 3_000);
  const heir = await world.person({ super: true }, { email: user.email });
  expect([heir.me.status, heir.me.body.error]).toEqual([401, 'account_not_invited']);
  expect((await userOf(user.email)).id).toBe(me.body.data.id);
});

test('an invited person gets the rights of the invitation, not those of the metadata', async () => {
  const email = 'invited@people.example';
  const body = { email, provider_access: [providers[2]] };
  const invited = await world.as(asRoot(), ['POST', '/api/users/invitations'], body);
  expect([invited.status, invited.body.data]).toMatchObject([201, { e_mailed: true, link: null }]);
  expect([...world.instance.state.invitations.values()].map((one) => one.email)).toContain(email);
  const { me } = await world.person({ super: true }, { email });
  expect(me.body.data).toMatchObject({
    id: invited.body.data.id,
    super: false,
    providers: [{ id: providers[2] }],
  });
  expect(await auditOf(me.body.data.id)).toEqual([
    `${root.user.email}: user.invited`,
    'Clerk: user.invitation_accepted',
  ]);
});

test('an invitation that the service does not send can be sent again', async () => {
  const email = 'later@people.example';
  world.clerk.fail(500, 1);
  const failed = await world.as(asRoot(), ['POST', '/api/users/invitations'], { email });
  expect([failed.status, failed.body.error]).toEqual([409, 'identity_unavailable']);
  const { id, active } = await userOf(email);
  expect(active).toBe(false);
  expect((await world.as(asRoot(), ['POST', `/api/users/${id}/invitation`])).status).toBe(201);
});

test('an address that is not proven, or belongs to another person here, is refused', async () => {
  const unproven = world.instance.addUser({ email: 'new@people.example', isProven: false });
  const session = world.instance.openSession(unproven.id);
  expect(await get(world.authorize(session.id))).toEqual([401, 'account_not_invited']);
  // The persona has an account with a password of ours, and was not invited to the service.
  const thief = await world.person({}, { email: 'super@demo.example' });
  expect([thief.me.status, thief.me.body.error]).toEqual([401, 'account_not_invited']);
  expect(
    await world.owner('SELECT FROM identity.hosted_user WHERE hosted_id = ANY ($1)', [
      [unproven.id, thief.user.id],
    ]),
  ).toEqual([]);
});

test('a refused person is asked for again after some seconds, not with every call', async () => {
  const { authorization } = await world.person({}, { email: 'super-2@demo.example' });
  const before = world.clerk.calls();
  for (let call = 0; call < 5; call += 1) await get(authorization);
  expect(world.clerk.calls()).toBe(before);
});

test('without the service, people who are known go on, and new ones wait', async () => {
  const known = await world.person({ admin: true });
  const user = world.instance.addUser({ email: 'waiting@people.example' });
  const session = world.instance.openSession(user.id);
  world.clerk.fail(500, 2);
  expect(await get(known.authorization)).toBe(200);
  expect(await get(world.authorize(session.id))).toEqual([503, 'unavailable']);
  expect(await get(world.authorize(session.id))).toBe(200);
});

test('name and address follow the service, but not to the address of another person', async () => {
  const { user, me } = await world.person({ admin: true });
  const { id } = me.body.data;
  world.instance.changeUser(user.id, { firstName: 'New', lastName: 'Name', email: 'moved@people.example' });
  await world.work();
  expect(await userOf('moved@people.example')).toMatchObject({ id, name: 'New Name' });
  world.instance.changeUser(user.id, { email: root.user.email });
  await world.work();
  expect(await userOf('moved@people.example')).toMatchObject({ id });
  world.instance.changeUser(user.id, { email: 'unproven@people.example', isProven: false });
  await world.work();
  expect(await userOf('moved@people.example')).toMatchObject({ id });
});

test('a lost second factor is removed here and there', async () => {
  const { user, me } = await world.person({ admin: true }, { code: '123456' });
  const removed = await world.as(asRoot(), ['DELETE', `/api/users/${me.body.data.id}/second-factor`]);
  expect([removed.status, removed.body.data.two_factor_enabled]).toEqual([200, false]);
  expect(world.instance.state.users.get(user.id)?.code).toBeNull();
});

test('requests for access at the service are listed here, once', async () => {
  world.instance.joinWaitlist('hopeful@people.example');
  await world.work();
  world.instance.joinWaitlist('second@people.example');
  await world.work();
  const listed = await world.as(asRoot(), ['GET', '/api/waitlist']);
  expect(listed.body.data.map(({ email }: { email: string }) => email)).toEqual([
    'hopeful@people.example',
    'second@people.example',
  ]);
  const approved = await world.as(asRoot(), ['POST', `/api/waitlist/${listed.body.data[0].id}/approve`], {
    provider_access: [providers[0]],
  });
  expect(approved.body.data).toMatchObject({ e_mailed: true, link: null });
});

test('the last super admin is taken away too, and every session with it', async () => {
  world.instance.changeUser(root.user.id, { metadata: {} });
  await world.work();
  await until(async () => (await get(asRoot(), '/api/users')) !== 200, 3_000);
  expect(await get(asRoot(), '/api/users')).toEqual([403, 'not_admin']);
});
