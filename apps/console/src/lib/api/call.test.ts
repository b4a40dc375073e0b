import { type Call, contract } from '@copydesk/contract';
import { describe, expect, test, vi } from 'vitest';
import { addressOf, createClient, type JsonCall } from './call.ts';
import { failureTextOf } from './failure-texts.ts';

const ID = '00000001-0000-4000-8000-000000000003';

/** A server that accepts one token, and a record of the requests to it. */
function serverAccepting(good: string | null) {
  const sent: { url: string; authorization: string | null }[] = [];
  const send: typeof fetch = async (url, init) => {
    const authorization = new Headers(init?.headers).get('authorization');
    sent.push({ url: String(url), authorization });
    return authorization === (good && `Bearer ${good}`)
      ? Response.json({ success: true, data: [] })
      : Response.json({ success: false, error: 'token_expired', message: 'Expired' }, { status: 401 });
  };
  return { sent, send };
}

function credentials(tokens: (string | null)[]) {
  const log = { lost: 0, forced: 0 };
  return {
    log,
    getToken: async ({ force = false } = {}) => {
      if (force) log.forced++;
      return tokens[log.forced] ?? null;
    },
    onLost: () => {
      log.lost++;
    },
    confirmRecentAuth: async () => false,
    onFactorMissing: () => {},
  };
}

test('the key becomes method and address', () => {
  const input = { params: { id: 'a/b' }, query: { include_aum: 'true', search: undefined, tab: '' } };
  expect(addressOf('GET /api/traders/{id}', input)).toEqual({
    method: 'GET',
    url: '/api/traders/a%2Fb?include_aum=true',
  });
});

test('an expired token is renewed once and the call repeated', async () => {
  const { sent, send } = serverAccepting('new');
  const who = credentials(['old', 'new']);
  await createClient(() => who, send).call('GET /api/communities');
  expect(sent.map((request) => request.authorization)).toEqual(['Bearer old', 'Bearer new']);
  expect(who.log).toEqual({ lost: 0, forced: 1 });
});

test('a refused fresh token ends the session, after one renewal', async () => {
  const { sent, send } = serverAccepting('other');
  const who = credentials(['old', 'new']);
  const call = createClient(() => who, send).call('GET /api/traders/{id}', { params: { id: ID } });
  await expect(call).rejects.toMatchObject({ status: 401, code: 'token_expired' });
  expect(sent).toHaveLength(2);
  expect(who.log.lost).toBe(1);
});

test('an anonymous refusal is not a lost session', async () => {
  const { send } = serverAccepting('any');
  const who = credentials([null]);
  await expect(createClient(() => who, send).call('GET /api/config')).rejects.toMatchObject({ status: 401 });
  expect(who.log).toEqual({ lost: 0, forced: 0 });
});

test('a call without a session, or without a token, says so in the words of the specification', async () => {
  const refuse =
    (error: string): typeof fetch =>
    async () =>
      Response.json({ success: false, error, message: 'From the server' }, { status: 401 });
  const who = credentials([null]);
  const providers = (source: typeof who | null, code = 'missing_token') =>
    createClient(() => source, refuse(code)).call('GET /api/providers');
  await expect(providers(null)).rejects.toMatchObject({ status: 401, message: 'User not signed in' });
  await expect(providers(who)).rejects.toMatchObject({
    status: 401,
    message: 'No authorization token available',
  });
  // Other refusals keep their text: the token of a set-up, a wrong password.
  await expect(providers(who, 'setup_token_invalid')).rejects.toMatchObject({ message: 'From the server' });
  expect(who.log).toEqual({ lost: 0, forced: 0 });
});

test('no answer is a network error; an abort stays an abort', async () => {
  const broken: typeof fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  const { call } = createClient(() => null, broken);
  await expect(call('GET /api/config')).rejects.toMatchObject({ code: 'network_error', status: 0 });
  await expect(call('GET /api/config', { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(TypeError);
});

test('a wrong key or field does not compile', () => {
  const { call } = createClient(() => null, fetch);
  const never = () => [
    // @ts-expect-error no such call
    call('GET /api/nothing'),
    // @ts-expect-error the id is required
    call('GET /api/traders/{id}'),
    // @ts-expect-error no such filter
    call('GET /api/traders', { query: { colour: 'red' } }),
    // @ts-expect-error a call that honours a key has one, so that a repeat takes effect once
    call('POST /api/payments/{id}/tip', { params: { id: ID }, body: { amount: '1', reason: 'A gift' } }),
    // @ts-expect-error no other call takes one
    call('DELETE /api/traders/{id}', { params: { id: ID }, idempotencyKey: 'k1' }),
    // @ts-expect-error a stream has no JSON body
    call('GET /api/traders/export'),
  ];
  expect(never).toBeTypeOf('function');
});

test('the key of an action is sent along, and stays the same when the token is renewed', async () => {
  const keys: (string | null)[] = [];
  const send: typeof fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    keys.push(headers.get('idempotency-key'));
    const isGood = headers.get('authorization') === 'Bearer new';
    return Response.json({ success: isGood, data: {} }, { status: isGood ? 200 : 401 });
  };
  const client = createClient(() => credentials(['old', 'new']), send);
  const body = { is_paid: true };
  await client.call('PATCH /api/invoices/{id}/status', { params: { id: ID }, body, idempotencyKey: 'k1' });
  expect(keys).toEqual(['k1', 'k1']);
  await client.call('GET /api/communities');
  expect(keys.slice(2)).toEqual([null, null]);
});

/** A server that requires recent authentication, and a person who can give it. */
function recentAuth({ confirms = true } = {}) {
  const log = { asked: 0, tokens: [] as (string | null)[], keys: [] as (string | null)[] };
  let token = 'old';
  let open: Promise<boolean> | null = null;
  const send: typeof fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    log.tokens.push(headers.get('authorization'));
    log.keys.push(headers.get('idempotency-key'));
    if (headers.get('authorization') === 'Bearer new') return Response.json({ success: true, data: [] });
    const body = { success: false, error: 'reauthentication_required', message: 'Confirm that it is you' };
    return Response.json(body, { status: 403 });
  };
  const who = {
    getToken: async () => token,
    onLost: () => {},
    onFactorMissing: () => {},
    confirmRecentAuth: () => {
      open ??= (async () => {
        log.asked++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (confirms) token = 'new';
        open = null;
        return confirms;
      })();
      return open;
    },
  };
  return { log, client: createClient(() => who, send), renew: () => (token = 'new') };
}

test('a call that needs recent authentication asks for it and is repeated once, under the same key', async () => {
  const { log, client } = recentAuth();
  const body = { is_paid: true };
  await client.call('PATCH /api/invoices/{id}/status', { params: { id: ID }, body, idempotencyKey: 'k1' });
  expect(log).toEqual({ asked: 1, tokens: ['Bearer old', 'Bearer new'], keys: ['k1', 'k1'] });
});

test('concurrent calls that need it ask once, and all of them go on', async () => {
  const { log, client } = recentAuth();
  await Promise.all([1, 2, 3].map(() => client.call('GET /api/communities')));
  expect(log.asked).toBe(1);
  expect(log.tokens.filter((token) => token === 'Bearer new')).toHaveLength(3);
});

test('a refusal that comes after another call was confirmed is repeated without asking', async () => {
  const { log, client, renew } = recentAuth();
  const late = client.call('GET /api/communities');
  renew();
  await late;
  expect(log).toMatchObject({ asked: 0, tokens: ['Bearer old', 'Bearer new'] });
});

test('declining gives a calm message, and nothing is sent again', async () => {
  const { log, client } = recentAuth({ confirms: false });
  await expect(client.call('GET /api/communities')).rejects.toMatchObject({
    code: 'not_confirmed',
    message: expect.stringMatching(/^Nothing was changed/),
  });
  expect(log.tokens).toEqual(['Bearer old']);
});

test('a refusal for want of a second factor is noted, but not for a call without a click', async () => {
  const refusal = { success: false, error: 'second_factor_required', message: 'Add a passkey' };
  const send: typeof fetch = async () => Response.json(refusal, { status: 403 });
  let noted = 0;
  const who = { ...credentials(['good']), onFactorMissing: () => void noted++ };
  const { call } = createClient(() => who, send);
  const code = 'second_factor_required';
  await expect(call('GET /api/traders', { recentAuth: 'do-not-ask' })).rejects.toMatchObject({ code });
  expect(noted).toBe(0);
  await expect(call('GET /api/traders')).rejects.toMatchObject({ code });
  expect(noted).toBe(1);
});

test('a call without a click opens no dialog', async () => {
  const { log, client } = recentAuth();
  await expect(client.call('GET /api/communities', { recentAuth: 'do-not-ask' })).rejects.toMatchObject({
    code: 'reauthentication_required',
  });
  expect(log.asked).toBe(0);
});

describe('a server that does not answer', () => {
  const hanging: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      if (init?.signal?.aborted) reject(init.signal.reason);
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  test('ends the call after 10 s as a connection error, and an export never', async () => {
    vi.useFakeTimers();
    try {
      const { call, open } = createClient(() => null, hanging);
      const ended: string[] = [];
      const called = call('GET /api/config').catch((error) => {
        ended.push('call');
        return error;
      });
      void open('GET /api/traders/export', { query: {} }).catch(() => ended.push('export'));
      await vi.advanceTimersByTimeAsync(9_900);
      expect(ended).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(await called).toMatchObject({ code: 'timeout', status: 0 });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(ended).toEqual(['call']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a body that stops in the middle ends as well', async () => {
    vi.useFakeTimers();
    try {
      const stalling: typeof fetch = async (_url, init) =>
        new Response(
          new ReadableStream({
            start: (body) => {
              body.enqueue(new TextEncoder().encode('{"success":'));
              init?.signal?.addEventListener('abort', () => body.error(init.signal?.reason));
            },
          }),
        );
      const called = createClient(() => null, stalling)
        .call('GET /api/config')
        .catch((error) => error);
      await vi.advanceTimersByTimeAsync(10_100);
      expect(await called).toMatchObject({ code: 'timeout' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a caller that gives up gets its own abort, not a timeout', async () => {
    const stop = new AbortController();
    const called = createClient(() => null, hanging).call('GET /api/config', { signal: stop.signal });
    stop.abort();
    await expect(called).rejects.toMatchObject({ name: 'AbortError' });
  });
});

/** Whatever the call, this is the whole answer. */
const answering = (body: string, status = 200, type = 'application/json') =>
  createClient(
    () => null,
    async () => new Response(body, { status, headers: { 'content-type': type } }),
  );
const EVERY_CALL = Object.keys(contract) as JsonCall[];

describe('an answer with status 200 that is no success', () => {
  test.each(EVERY_CALL)('%s: success false, or a page of a proxy, is an error', async (key) => {
    const send = (body: string, type?: string) => {
      const { call, open } = answering(body, 200, type);
      const ask = (isStream(key) ? open : call) as (key: Call, input: object) => Promise<unknown>;
      return ask(key, {});
    };
    const refused = JSON.stringify({
      success: false,
      error: 'locked',
      message: 'The row is locked',
      details: 'by x',
    });
    await expect(send(refused)).rejects.toMatchObject({
      code: 'locked',
      status: 200,
      message: 'The row is locked',
      details: [{ path: '', message: 'by x' }],
    });
    const text = failureTextOf(key) ?? 'The server sent an answer that cannot be read';
    await expect(send('<html>', 'text/html')).rejects.toMatchObject({ message: text, isWordless: true });
    await expect(send('{"success":false}')).rejects.toMatchObject({ message: text });
  });

  const isStream = (key: Call) => 'stream' in contract[key].answer;
});

test.each([
  ['POST /api/pooled-accounts', 'Failed to create pooled account'],
  ['GET /api/pooled-accounts', 'Failed to fetch pooled accounts'],
  ['GET /api/pooled-accounts/{id}', 'Failed to fetch pooled account'],
  ['GET /api/pooled-accounts/{id}/stats', 'Failed to fetch pool stats'],
  ['GET /api/pooled-accounts/{id}/harvest/status', 'Failed to fetch harvest status'],
  ['GET /api/pooled-accounts/{id}/transactions', 'Failed to fetch transactions'],
  ['PUT /api/pooled-accounts/{id}', 'Failed to update pooled account'],
  ['GET /api/pooled-accounts/global/harvest/status', 'Failed to fetch global harvest status'],
  ['GET /api/pooled-accounts/ip-whitelist/{id}', 'Failed to fetch IP whitelist'],
] as const)('%s without a text of the server says: %s', async (key, message) => {
  for (const status of [200, 502])
    await expect(answering('{"success":false}', status).call(key as JsonCall, {} as never)).rejects.toThrow(
      message,
    );
});
