import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, contract, type Entry } from '@copydesk/contract';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Aim, Case, Target } from '../../../../../tests/api/matrix/case.ts';
import { TARGETS } from '../../../../../tests/api/matrix/case.ts';
import { CASES } from '../../../../../tests/api/matrix/cases.ts';
import { readWorld } from '../../../../../tests/api/matrix/read-world.ts';
import { signInAs } from '../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../tests/support/identity/give-access.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { createIdempotency } from '../http/idempotency/idempotency.ts';

type Caller = Awaited<ReturnType<typeof signInAs>>;

/** About the caller and not about its providers: two people differ in these. */
const PERSONAL: ReadonlySet<string> = new Set([
  'GET /api/me',
  'GET /api/me/sessions',
  'GET /api/me/second-factor',
  'GET /api/users/{id}/communities',
  // The others who read it: whoever asks is left out.
  'GET /api/notes/people',
]);
/** It never ends; it has a test of its own. */
const STREAM = 'GET /api/events';
/** Answered now, from the kind of exchange, and not from what is stored. */
const WHITELIST = 'GET /api/traders/{id}/ip-whitelist';
/** It names the minute of its writing. What it says comes from two other reads. */
const PAPER = 'GET /api/invoices/{id}/pdf';

let product: TestApp;
let superAdmin: Caller;
/** Staff of three providers. */
let multi: Caller;
/** Staff of the provider that a test gives. */
let single: Caller;
let mine: string[];
let service: string;
const aims = new Map<Target, Aim>();
beforeAll(async () => {
  product = await createTestApp();
  superAdmin = await signInAs(product, 'super');
  multi = await signInAs(product, 'staff-multi');
  single = await signInAs(product, 'no-access');
  const world = await readWorld(product, superAdmin.authorization);
  for (const target of TARGETS) aims.set(target, world.aims[target]);
  service = world.serviceToken;
  mine = (await asIn(multi, null, 'GET /api/me'))
    .json()
    .data.organizations.map(({ id }: { id: string }) => id);
});
afterAll(() => product.close());

/** A call by a person who works in one provider; null: in all. */
const asIn = (who: Caller, provider: string | null, call: string, parts: Parameters<typeof send>[2] = {}) =>
  send(product.app, call, parts, who.authorization, provider === null ? {} : { 'x-organization': provider });
const refused = async (answer: ReturnType<typeof send>) => {
  const { statusCode, body } = await answer;
  return [statusCode, JSON.parse(body).error];
};
const give = async (who: Caller, wanted: Parameters<typeof giveAccess>[3]) => {
  const answer = await giveAccess(product, superAdmin.authorization, who.userId, wanted);
  expect(answer.status, answer.text).toBe(200);
};
const ENDED = [403, 'organization_ended'];

/** What an answer says, without the moment at which it was computed or read. */
const saidBy = ({ statusCode, body }: Awaited<ReturnType<typeof send>>, call = '') => ({
  statusCode,
  body: (call === PAPER && statusCode === 200 ? '' : body)
    .replace(/"(?:totals_at|as_of)":"[^"]*"/g, '')
    .replace(/"retry_after_ms":\w+/g, '')
    .replace(call === WHITELIST ? /"read_at":"[^"]*"/g : '', ''),
});

describe.each([0, 1, 2])('in provider %i of its three, a person', (index) => {
  beforeAll(() => give(single, { provider_access: [mine[index]], staff_roles: {} }));

  const reads = (Object.keys(CASES) as Call[]).filter(
    (call) => call.startsWith('GET ') && call !== STREAM && !PERSONAL.has(call),
  );
  test.each(reads)('reads what staff of that provider alone read: %s', async (call) => {
    const { input, isAimed } = CASES[call] as Case<Call>;
    for (const target of isAimed ? TARGETS : (['own'] as const)) {
      const parts = input(aims.get(target) as Aim) as Parameters<typeof send>[2];
      const expected = saidBy(await asIn(single, null, call, parts), call);
      expect(saidBy(await asIn(multi, mine[index] ?? '', call, parts), call), target).toEqual(expected);
    }
  });

  const acts = (Object.keys(CASES) as Call[]).filter((call) => {
    const { permission } = contract[call] as Entry;
    return !call.startsWith('GET ') && permission === 'staff' && CASES[call].isAimed;
  });
  test.each(acts)('is a stranger to what other providers have: %s', async (call) => {
    // `own` and `foreign` are so for the first provider.
    const target = index === 0 ? 'foreign' : 'own';
    const parts = (CASES[call] as Case<Call>).input(aims.get(target) as Aim) as Parameters<typeof send>[2];
    const expected = saidBy(await asIn(single, null, call, parts));
    expect(saidBy(await asIn(multi, mine[index] ?? '', call, parts))).toEqual(expected);
    if (index === 0) expect(expected.statusCode).toBe(404);
  });

  test('has the rights of staff of that provider, and the choice of all', async () => {
    const { data } = (await asIn(multi, mine[index] ?? '', 'GET /api/me')).json();
    const { data: alone } = (await asIn(single, null, 'GET /api/me')).json();
    expect(data.providers).toEqual(alone.providers);
    expect(data.organization).toBe(mine[index]);
    expect(data.organizations.map(({ id }: { id: string }) => id)).toEqual(mine);
    const communities = async (who: Caller, provider: string | null) =>
      (await asIn(who, provider, 'GET /api/users/{id}/communities', { params: { id: who.userId } })).json();
    expect(await communities(multi, mine[index] ?? '')).toEqual(await communities(single, null));
  });
});

test('totals and exports are those of one provider, whatever was read before in all', async () => {
  const totals = async (provider: string | null) => {
    const { meta } = (await asIn(multi, provider, 'GET /api/traders', { query: { limit: '1' } })).json();
    const csv = (await asIn(multi, provider, 'GET /api/traders/export')).body.split('\r\n').length;
    return { total: meta.total as number, aum: Number(meta.total_aum), csv };
  };
  const all = await totals(null);
  const one = await totals(mine[0] ?? '');
  expect(one.total).toBeGreaterThan(0);
  expect(one.total).toBeLessThan(all.total);
  expect(one.aum).toBeLessThan(all.aum);
  expect(one.csv).toBeLessThan(all.csv);
  expect(await totals(null)).toEqual(all);
});

test('an answer that is kept under a key belongs to the providers it was given in', async () => {
  const key = crypto.randomUUID();
  const pay = async (providerIds: readonly string[]) => {
    const request = { headers: { 'idempotency-key': key } } as unknown as FastifyRequest;
    const once = createIdempotency({ db: product.db, now: () => new Date() })({
      route: 'POST /api/test',
      entry: { answer: z.string() } as unknown as Entry,
      request,
      scope: { kind: 'providers', providerIds },
      actor: { kind: 'user', id: multi.userId, name: 'Multi' },
    });
    return (await once(async () => providerIds.join())).body;
  };
  const inFirst = await pay(mine.slice(0, 1));
  expect(await pay(mine.slice(0, 1))).toBe(inFirst);
  for (const others of [mine.slice(1, 2), mine])
    await expect(pay(others)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('a filter by another provider finds nothing, and breaks nothing', async () => {
  const query = { provider_id: mine[1], limit: '10' };
  for (const call of ['GET /api/traders', 'GET /api/invoices/admin/all']) {
    const answer = await asIn(multi, mine[0] ?? '', call, { query });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().data, call).toEqual([]);
  }
});

test('a role holds in its provider, in all and in one', async () => {
  await give(multi, { staff_roles: { [mine[0] ?? '']: 'viewer' } });
  const exported = async (provider: string | null) =>
    (await asIn(multi, provider, 'GET /api/traders/export')).statusCode;
  expect(await exported(mine[0] ?? '')).toBe(403);
  expect(await exported(mine[1] ?? '')).toBe(200);
  expect(await exported(null)).toBe(200);
  await give(multi, { staff_roles: {} });
});

test('a provider ends with the access to it, for the others and for a fellow too', async () => {
  const me = (provider: string | null) => asIn(multi, provider, 'GET /api/me');
  await give(multi, { provider_access: mine.slice(0, 2) });
  expect(await refused(me(mine[2] ?? ''))).toEqual(ENDED);
  expect((await me(mine[0] ?? '')).statusCode).toBe(200);
  expect((await me(null)).json().data.organizations).toHaveLength(2);
  await give(multi, { provider_access: mine });
  expect((await me(mine[2] ?? '')).statusCode).toBe(200);
});

test('naming a provider gives nothing: to strangers, super admins, programs, and with nonsense', async () => {
  const [foreign] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT id FROM provider WHERE NOT id = ANY ($1)`,
    [mine],
  );
  const values = [foreign?.id ?? '', '', 'all', '*', "' OR 1=1 --", '__proto__', `${mine[0]},${mine[1]}`];
  for (const value of [...values, (mine[0] ?? '').toUpperCase().replace(/^\d/, 'F')])
    expect(await refused(asIn(multi, value, 'GET /api/traders')), value).toEqual(ENDED);
  const nobody = await signInAs(product, 'not-admin');
  for (const who of [superAdmin, nobody, { ...nobody, authorization: service }])
    for (const call of ['GET /api/traders', 'PATCH /api/users/{id}'])
      expect(
        await refused(asIn(who, mine[0] ?? '', call, { params: { id: multi.userId }, body: {} })),
      ).toEqual(ENDED);
  const anonymous = await send(product.app, 'GET /api/me', {}, undefined, {
    'x-organization': mine[0] ?? '',
  });
  expect(anonymous.statusCode).toBe(401);
  // The flag alone is not membership, and a left-over provider is not the flag.
  await give(single, { provider_access: mine.slice(0, 1), admin: false });
  expect(await refused(asIn(single, mine[0] ?? '', 'GET /api/traders'))).toEqual([403, 'not_admin']);
  await give(single, { provider_access: mine.slice(0, 1), admin: true });
});

test('the refused attempt is in the security log, with who it was', async () => {
  await product.securityLog.flush();
  const query = { actor_id: multi.userId };
  const { data } = (await asIn(superAdmin, null, 'GET /api/audit/refusals', { query })).json();
  expect(data).toContainEqual(
    expect.objectContaining({
      code: 'organization_ended',
      kind: 'access',
      caller_name: 'staff-multi@demo.example',
    }),
  );
});

const beginView = () =>
  asIn(superAdmin, null, 'POST /api/users/{id}/view-as', { params: { id: multi.userId } });

test('a view as another user can be of one of its providers, and of no other', async () => {
  await beginView();
  const look = (provider: string, call = 'GET /api/traders') =>
    send(
      product.app,
      call,
      { query: call.startsWith('GET') ? { limit: '5' } : {} },
      superAdmin.authorization,
      {
        'x-view-as': multi.userId,
        'x-organization': provider,
      },
    );
  const own = await asIn(multi, mine[0] ?? '', 'GET /api/traders', { query: { limit: '5' } });
  expect(saidBy(await look(mine[0] ?? ''))).toEqual(saidBy(own));
  expect(await refused(look('all'))).toEqual(ENDED);
  expect(await refused(look(mine[0] ?? '', 'POST /api/saved-views'))).toEqual([403, 'view_as_read_only']);
});

test('an event stream has one provider, outlives the checks of its caller, and ends with the access', async () => {
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  const open = async (headers: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
    const heard = { text: '', hasEnded: false, status: response.status };
    const reading = (async () => {
      for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    })();
    void reading.catch(() => {}).finally(() => Object.assign(heard, { hasEnded: true }));
    await expect.poll(() => heard.text).toMatch(/^id: /m);
    return heard;
  };
  const { authorization } = multi;
  const inFirst = await open({ authorization, 'x-organization': mine[0] ?? '' });
  const inSecond = await open({ authorization, 'x-organization': mine[1] ?? '' });
  await beginView();
  const viewed = await open({
    authorization: superAdmin.authorization,
    'x-view-as': multi.userId,
    'x-organization': mine[1] ?? '',
  });

  const traderOf = async (provider: string | undefined) => {
    const [row] = await asOwner<{ id: string }>(
      product.ownerUrl,
      `SELECT p.trader_id AS id FROM trader_provider p WHERE p.provider_id = $1 AND NOT p.is_shared LIMIT 1`,
      [provider],
    );
    return row?.id ?? '';
  };
  const [ofFirst, ofSecond] = [await traderOf(mine[0]), await traderOf(mine[1])];
  for (const id of [ofFirst, ofSecond])
    await asIn(superAdmin, null, 'PATCH /api/traders/{id}', {
      params: { id },
      body: { reference_number: crypto.randomUUID() },
    });
  await expect.poll(() => inFirst.text).toContain(ofFirst);
  await expect.poll(() => inSecond.text).toContain(ofSecond);
  await expect.poll(() => viewed.text).toContain(ofSecond);
  expect(inFirst.text).not.toContain(ofSecond);
  expect(inSecond.text).not.toContain(ofFirst);
  expect(viewed.text).not.toContain(ofFirst);

  // Every change of an access has all of the person's streams checked.
  await give(multi, { provider_access: mine.slice(1) });
  await expect.poll(() => inFirst.hasEnded, { timeout: 10_000 }).toBe(true);
  // Their checks have begun together with that of the first.
  await sleep(500);
  expect([inSecond.hasEnded, viewed.hasEnded]).toEqual([false, false]);
  const again = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization, 'x-organization': mine[0] ?? '' },
  });
  expect(again.status).toBe(403);
  await give(multi, { provider_access: mine.slice(2) });
  await expect.poll(() => [inSecond.hasEnded, viewed.hasEnded], { timeout: 10_000 }).toEqual([true, true]);
  await give(multi, { provider_access: mine });
});
