import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createEmbedded } from '../../../../../../../tests/support/identity/services.ts';

import { asOwner } from '../../../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../../../tests/support/test-app.ts';
import type { Identity } from '../../identity.ts';

/** How long another process may go on believing what it remembers. Without news of it, that is 30 s; with news it is a moment, and the rest is patience with a busy machine. */
const WITHIN = { timeout: 10_000, interval: 20 };

let product: TestApp;
/** Another API process on the same database. */
let other: Identity;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  other = await createEmbedded({ databaseUrl: product.ownerUrl, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await other.close();
  await product.close();
});

async function signIn(persona: string) {
  const answer = await product.app.inject({ method: 'POST', url: '/api/demo/sign-in', payload: { persona } });
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  return { cookie, authorization: `Bearer ${answer.json<{ token: string }>().token}` };
}
const isKnown = async (authorization: string) => (await other.authenticate(authorization)).ok;

test('a sign-out reaches every process within a second', async () => {
  const { cookie, authorization } = await signIn('staff');
  // The line of the other process has to be up before it can hear anything.
  await expect.poll(() => isKnown(authorization)).toBe(true);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie, origin: 'http://localhost:3000' },
    payload: {},
  });
  expect(answer.statusCode).toBe(200);
  await expect.poll(() => isKnown(authorization), WITHIN).toBe(false);
});

test('acts that read the database know at once', async () => {
  const { cookie, authorization } = await signIn('staff');
  expect(await isKnown(authorization)).toBe(true);
  await product.app.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie, origin: 'http://localhost:3000' },
    payload: {},
  });
  expect((await other.authenticate(authorization, { fresh: true })).ok).toBe(false);
});

test('so does a session that is deleted by hand, and that of one user leaves the others alone', async () => {
  const [gone, kept] = [await signIn('staff'), await signIn('staff-multi')];
  expect(await isKnown(gone.authorization)).toBe(true);
  await asOwner(
    product.ownerUrl,
    `DELETE FROM identity.session s USING identity."user" u WHERE u.id = s.user_id AND u.email = 'staff@demo.example'`,
  );
  await expect.poll(() => isKnown(gone.authorization), WITHIN).toBe(false);
  expect(await isKnown(kept.authorization)).toBe(true);
});

test('and so do flags that are taken away, and an account that is disabled', async () => {
  const { authorization } = await signIn('super');
  const flags = async () => {
    const result = await other.authenticate(authorization);
    return result.ok ? result.principal.flags.super : result.code;
  };
  expect(await flags()).toBe(true);
  const change = (set: string) =>
    asOwner(
      product.ownerUrl,
      `UPDATE identity.user_access a SET ${set} FROM identity."user" u
       WHERE u.id = a.user_id AND u.email = 'super@demo.example'`,
    );
  await change('super = false, super_since = NULL, confirmed_at = NULL, confirmed_by_id = NULL');
  await expect.poll(flags, WITHIN).toBe(false);
  await change('super = true, super_since = now()');
  await expect.poll(flags, WITHIN).toBe(true);
  await change('disabled_at = now()');
  await expect.poll(flags, WITHIN).toBe('account_disabled');
  await change('disabled_at = null');
});

test('a stream of events ends with the session', async () => {
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  const { cookie, authorization } = await signIn('staff-multi');
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { authorization } });
  let hasEnded = false;
  const reading = (async () => {
    for await (const _chunk of stream.body ?? []);
    hasEnded = true;
  })();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(hasEnded).toBe(false);
  await product.app.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie, origin: 'http://localhost:3000' },
    payload: {},
  });
  await expect.poll(() => hasEnded, WITHIN).toBe(true);
  await reading;
});
