import { expect, test } from 'vitest';
import { addressOf, createClient } from './call.ts';

const ID = '00000001-0000-4000-8000-000000000003';

/** A server that accepts one token, and a record of what was sent to it. */
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
    // @ts-expect-error a stream has no JSON body
    call('GET /api/traders/export'),
  ];
  expect(never).toBeTypeOf('function');
});

test('the key of an act is sent along, and is the same when the token has to be renewed', async () => {
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
