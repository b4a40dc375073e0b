import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCuttableProxy } from '../../../../../tests/support/cuttable-proxy.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

let product: TestApp;
let proxy: Awaited<ReturnType<typeof createCuttableProxy>>;

beforeAll(async () => {
  product = await createTestApp({
    scale: 0.02,
    viaProxy: async (ownerUrl) => {
      proxy = await createCuttableProxy(ownerUrl);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await product.close();
  await proxy.close();
});

/** What the console and its sign-in page send, and the status that each has while all is well. */
const CALLS = [
  { method: 'GET', path: '/get-session', status: 200 },
  { method: 'GET', path: '/token', status: 200 },
  { method: 'GET', path: '/jwks', status: 200 },
  { method: 'GET', path: '/list-sessions', status: 200 },
  {
    method: 'POST',
    path: '/sign-in/email',
    payload: { email: 'super@demo.example', password: 'not the password' },
    status: 401,
  },
  { method: 'POST', path: '/update-user', payload: { name: 'Renamed' }, status: 200 },
  { method: 'POST', path: '/revoke-other-sessions', payload: {}, status: 200 },
  { method: 'POST', path: '/sign-out', payload: {}, status: 200 },
] as const;
type AuthCall = (typeof CALLS)[number];

async function signIn(): Promise<string> {
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/demo/sign-in',
    payload: { persona: 'super' },
  });
  return answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
}

function send(call: AuthCall, cookie: string) {
  const { method, path } = call;
  return product.app.inject({
    method,
    url: `/api/auth${path}`,
    headers: { origin: 'http://localhost:3000', cookie },
    ...('payload' in call ? { payload: call.payload } : {}),
  });
}

/** Keeps every statement on the tables of signing in waiting, so that requests are cut in their midst. */
async function holdIdentityTables() {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(
    'LOCK TABLE identity.session, identity."user", identity.jwks, identity.rate_limit, identity.sign_in_failure',
  );
  return {
    waiting: async () => {
      const { rows } = await client.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
      );
      return rows[0]?.n ?? 0;
    },
    release: () => client.query('ROLLBACK'),
  };
}

test.each(CALLS)('$method $path, with the database cut in its midst', async (call) => {
  const cookie = await signIn();
  const held = await holdIdentityTables();
  const answered = send(call, cookie);
  await expect.poll(held.waiting).toBeGreaterThan(0);
  proxy.cut();
  onTestFinished(proxy.mend);
  const cutOff = await answered;
  const meanwhile = await send(call, cookie);
  for (const answer of [cutOff, meanwhile]) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json()).toEqual({
      success: false,
      error: 'unavailable',
      message: 'The service is not available at the moment. Please try again.',
    });
    expect(answer.headers['retry-after']).toBe('2');
    // Whoever was signed in still is: nothing may take the cookie away.
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  await held.release();
  proxy.mend();
  let recovered = await send(call, cookie);
  for (let tries = 0; tries < 20 && recovered.statusCode === 503; tries++) {
    await sleep(100);
    recovered = await send(call, cookie);
  }
  expect(recovered.statusCode, recovered.body).toBe(call.status);
});
