import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';

interface Body {
  success: boolean;
  error?: string;
  details?: { path: string; message: string }[];
  data?: object;
}

let world: OwingWorld;
let community: OwingCommunity;
let port: number;
beforeAll(async () => {
  world = await createOwingWorld();
  port = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
  await world.addPaid(community, 100);
});

/** The headers as given and not one more: clients that send a body add some of their own. */
function post(
  path: string,
  headers: readonly string[],
  payload = '',
): Promise<{ status: number; body: Body }> {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${world.token}`,
    ...headers,
    'Connection: close',
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${payload}`));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('end', () =>
      resolve({
        status: Number(text.split(' ', 2)[1]),
        body: JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
      }),
    );
  });
}

const WITHOUT_BODY: [name: string, headers: string[]][] = [
  ['neither type nor length', []],
  ['a length of zero', ['Content-Length: 0']],
  ['a type alone', ['Content-Type: application/json']],
  ['a type and a length of zero', ['Content-Type: application/json', 'Content-Length: 0']],
];

test.each(WITHOUT_BODY)('a distribution with %s pays all recipients', async (_name, headers) => {
  const { status, body } = await post(`/api/super-admin/communities/${community.id}/distribute`, headers);
  expect(body).toMatchObject({ success: true, data: { total_amount: '100', remaining_amount: '0' } });
  expect(status).toBe(200);
  expect((await world.payoutsOf(community.id)).length).toBeGreaterThan(1);
});

test.each(WITHOUT_BODY)(
  'a withdrawal with %s pays the own share of the community',
  async (_name, headers) => {
    const { status, body } = await post(`/api/communities/${community.id}/withdraw`, headers);
    expect(body).toMatchObject({ success: true, data: { total_amount: '5' } });
    expect(status).toBe(200);
  },
);

test('no body and an empty object are one request to an idempotency key', async () => {
  const path = `/api/super-admin/communities/${community.id}/distribute`;
  const key = `Idempotency-Key: ${community.id}`;
  const first = await post(path, [key]);
  const again = await post(path, [key, 'Content-Type: application/json', 'Content-Length: 2'], '{}');
  expect(again).toEqual(first);
});

test('a body that is not an object stays refused', async () => {
  const path = `/api/super-admin/communities/${community.id}/distribute`;
  const json = (text: string) => ['Content-Type: application/json', `Content-Length: ${text.length}`];
  for (const text of ['null', '[]', '""']) {
    const { status, body } = await post(path, json(text), text);
    expect([status, body.error]).toEqual([400, 'validation_failed']);
  }
  expect(await world.payoutsOf(community.id)).toEqual([]);
});

test('a call that needs its body names the missing fields', async () => {
  const { status, body } = await post('/api/service-tokens', ['Content-Type: application/json']);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: 'validation_failed',
    details: ['name', 'scopes', 'provider_ids'].map((path) => ({ path, message: 'Required' })),
  });
});
