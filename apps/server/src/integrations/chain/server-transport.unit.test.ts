import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPublicClient } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serverSentence } from './server-sentence.ts';
import { serverTransport } from './server-transport.ts';

interface Asked {
  id: number;
  method: string;
  params: [string];
}
type Answer = { status?: number; body: unknown };

/** A server that counts transactions of addresses: as many as the last byte says. */
const counted = ({ id, method, params }: Asked) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'eth_chainId' ? chainOfServer : `0x${params[0].slice(-2)}`,
});
let chainOfServer = '0x38';
let answerBatch: (asked: Asked[]) => Answer;
let sizes: number[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[];
  sizes.push(Array.isArray(body) ? body.length : 1);
  const { status = 200, body: answer } = Array.isArray(body) ? answerBatch(body) : { body: counted(body) };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
});
afterAll(() => server.close());
beforeEach(() => {
  sizes = [];
});

const clientOf = () =>
  createPublicClient({ transport: serverTransport(url, { timeout: 2_000, retryCount: 0, isBatched: true }) });
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index): `0x${string}` => `0x${index.toString(16).padStart(40, '0')}`);
const countAll = (client: ReturnType<typeof clientOf>, count: number) =>
  Promise.all(addresses(count).map((address) => client.getTransactionCount({ address })));
const upTo = (limit: number, refuse: (asked: Asked[]) => Answer) => (asked: Asked[]) =>
  asked.length > limit ? refuse(asked) : { body: asked.map(counted) };
const error = { code: -32005, message: 'batch too large' };

describe('a server that refuses large batches', () => {
  test.each<[what: string, refuse: (asked: Asked[]) => Answer]>([
    ['with a status and one error', () => ({ status: 500, body: { jsonrpc: '2.0', id: null, error } })],
    ['with a status alone', () => ({ status: 413, body: {} })],
    ['with one error for all', () => ({ body: { jsonrpc: '2.0', id: null, error } })],
    ['with one error in an array', () => ({ body: [{ jsonrpc: '2.0', id: null, error }] })],
    ['by answering the first requests only', (asked) => ({ body: asked.slice(0, 3).map(counted) })],
  ])('%s gets smaller ones, and each request its own answer', async (_, refuse) => {
    answerBatch = upTo(3, refuse);
    const client = clientOf();
    expect(await countAll(client, 90)).toEqual(Array.from({ length: 90 }, (_each, index) => index));
    sizes = [];
    // The size is remembered.
    expect(await countAll(client, 30)).toEqual(Array.from({ length: 30 }, (_each, index) => index));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
  });

  test('altogether gets one request at a time', async () => {
    answerBatch = upTo(0, () => ({ status: 400, body: 'no arrays' }));
    expect(await countAll(clientOf(), 20)).toEqual(Array.from({ length: 20 }, (_each, index) => index));
    expect(sizes.at(-1)).toBe(1);
  });
});

test('answers in another order are matched by their id', async () => {
  answerBatch = (asked) => ({ body: asked.map(counted).toReversed() });
  expect(await countAll(clientOf(), 50)).toEqual(Array.from({ length: 50 }, (_each, index) => index));
  expect(sizes).toEqual([50]);
});

test('an error about one request of a batch is none of the batch', async () => {
  answerBatch = (asked) => ({
    body: asked.map((each, index) => (index === 1 ? { jsonrpc: '2.0', id: each.id, error } : counted(each))),
  });
  const client = clientOf();
  const settled = await Promise.allSettled(
    addresses(3).map((address) => client.getTransactionCount({ address })),
  );
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(sizes).toEqual([3]);
});

test('a sentence of a server is one line without control characters and addresses', () => {
  expect(serverSentence({ details: `limit\u202e of ${url} reached\nmore` })).toBe(
    'limit  of (address) reached',
  );
  expect(serverSentence(new Error('x'.repeat(1_000)))).toHaveLength(300);
  expect(serverSentence(undefined)).toBe('no reason given');
});

test('a server that answers for another chain gives no answer, and is believed again once it is back', async () => {
  const client = createPublicClient({
    transport: serverTransport(url, { timeout: 2_000, retryCount: 0, chainId: 56 }),
  });
  const [address] = addresses(1) as [`0x${string}`];
  const ask = () => client.getTransactionCount({ address });
  chainOfServer = '0x61';
  const wrong = await ask().catch((error: unknown) => error);
  expect(serverSentence(wrong)).toBe('the server is of chain 97, not 56');
  expect(String((wrong as Error).stack)).not.toContain('secret-key');
  chainOfServer = '0x38';
  sizes = [];
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([0, 0, 0]);
  // It is asked for its chain once for all of them.
  expect(sizes).toHaveLength(4);
  expect(await client.getChainId()).toBe(56);
});
