import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WHOLE_SCOPE } from '../../apps/server/src/platform/db/database.ts';
import { createLogTo } from '../../apps/server/src/platform/observe/log.ts';
import { startTracing } from '../../apps/server/src/platform/observe/start-tracing.ts';
import { VERSION } from '../../apps/server/src/platform/process/version.ts';
import { runJob } from '../../apps/server/src/platform/work/run-job.ts';
import { startWorkLoop } from '../../apps/server/src/platform/work/work-loop.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { asOwner } from '../support/owner.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const CANARY = 'canary-search';
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let venue: Server;
let other: Server;
let product: TestApp;
let token: string;
let spans: ReceivedSpan[];
let lines: Record<string, unknown>[];
let job: Record<string, unknown>[];

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  // An exchange that is down answers, too.
  venue = createServer((_request, response) => void response.writeHead(503).end());
  await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve));
  other = createServer((_request, response) => void response.writeHead(404).end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = venue.address() as AddressInfo;
  const jobLines: string[] = [];
  const log = createLogTo({ write: (line) => void jobLines.push(line) }, 'info', 'test');
  // Before the server is created, as in a process.
  const stop = await startTracing(
    { endpoint: receiver.endpoint, headers: { authorization: 'canary-header' }, ratio: 1 },
    { name: 'api', log },
  );
  product = await createTestApp({
    scale: 0.02,
    env: { EXCHANGE_BYBIT_URL: `http://127.0.0.1:${port}` },
  });
  token = await product.signIn('super');
  const [account] = await asOwner<{ trader_id: string }>(
    product.ownerUrl,
    "SELECT trader_id FROM exchange_account WHERE exchange = 'bybit' AND removed_at IS NULL LIMIT 1",
  );
  const id = account?.trader_id ?? '';
  await send(product.app, 'GET /api/traders', { query: { search: CANARY } }, token);
  await changeSlowly(id);
  await send(product.app, 'GET /api/exchanges/trader/{id}/balances', { params: { id } }, token);

  const readNames = () =>
    product.db.read(WHOLE_SCOPE, (tx) => tx.sql.selectFrom('trader').select('name').limit(1).execute());
  let turns = 0;
  const loop = startWorkLoop({
    name: 'trying',
    everyMs: 10_000,
    log,
    turn: async () => {
      await readNames();
      turns += 1;
      if (turns === 2) throw new Error(CANARY);
      return turns < 2;
    },
  });
  await until(async () => turns === 2);
  await loop.stop();
  await runJob({ name: 'a-job', id: 'job-1', log }, readNames);
  await stop();
  spans = receiver.spans();
  lines = product.logged.map((line) => JSON.parse(line));
  job = jobLines.map((line) => JSON.parse(line));
});
afterAll(async () => {
  await product?.close();
  for (const server of [venue, other]) {
    server?.closeAllConnections();
    server?.close();
  }
  await receiver?.close();
});

/** Over a connection, its body after its headers: then the body comes with an event of the connection. */
async function changeSlowly(id: string): Promise<void> {
  const url = await product.app.listen({ port: 0, host: '127.0.0.1' });
  const body = JSON.stringify({ reference_number: CANARY });
  const headers = {
    authorization: token,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const change = request(`${url}/api/traders/${id}`, { method: 'PATCH', headers });
  change.flushHeaders();
  await sleep(100);
  const [answer] = await Promise.all([once(change, 'response'), change.end(body)]);
  answer[0].resume();
  await once(answer[0], 'end');
}

const named = (name: string) => spans.filter((span) => span.name === name);
const childrenOf = ({ spanId }: ReceivedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);

test.each([
  ['GET /api/traders', 'database read'],
  ['PATCH /api/traders/:id', 'database write'],
])('%s is a trace with its transactions', (name, transaction) => {
  const [call] = named(name);
  if (!call) throw new Error(spans.map((span) => span.name).join(', '));
  expect(call).toMatchObject({ kind: SERVER, service: 'copydesk-api', version: VERSION });
  expect(call.parentSpanId ?? '').toBe('');
  expect(call.attributes).toMatchObject({
    'http.route': name.split(' ')[1],
    'http.response.status_code': 200,
  });
  const below = childrenOf(call);
  expect(below.map((span) => span.name)).toContain(transaction);
  for (const span of below) expect(span).toMatchObject({ traceId: call.traceId, kind: CLIENT });
});

test('a request to an exchange is below the call that waits for it', () => {
  const [call] = named('GET /api/exchanges/trader/:id/balances');
  const { port } = venue.address() as AddressInfo;
  const outgoing = named('GET 127.0.0.1').find(({ attributes }) => attributes['server.port'] === port);
  expect(outgoing).toMatchObject({
    kind: CLIENT,
    traceId: call?.traceId,
    parentSpanId: call?.spanId,
    status: 2,
    attributes: { 'http.response.status_code': 503, 'error.type': '503' },
  });
  expect(receiver.headers[0]?.authorization).toBe('canary-header');
});

test('turns of loops and runs of jobs are traces of their own', () => {
  const turns = named('turn trying');
  expect(turns.map(({ kind, status }) => [kind, status])).toEqual([
    [CONSUMER, 0],
    [CONSUMER, 2],
  ]);
  expect(turns[1]?.attributes['error.type']).toBe('Error');
  for (const span of [...turns, ...named('job a-job')]) {
    expect(span.parentSpanId ?? '').toBe('');
    expect(childrenOf(span).map(({ name }) => name)).toEqual(['database read']);
  }
});

test('no span has a value of a request, a statement or a secret', () => {
  const text = receiver.text();
  for (const secret of [CANARY, token.slice(-30), 'canary-header', 'SELECT ', 'apiKey', AUTH_QUERY])
    expect(text).not.toContain(secret);
  const keys = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...keys].sort()).toEqual([
    'db.operation.name',
    'db.system.name',
    'error.type',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'request.id',
    'server.address',
    'server.port',
  ]);
});

/** What a signed request to an exchange has in its address. */
const AUTH_QUERY = 'recv';

test('each line of a request has its ids, its address and its person, before and after its body', () => {
  const [call] = named('PATCH /api/traders/:id');
  const line = lines.find(({ route }) => route === '/api/traders/:id');
  expect(line).toMatchObject({
    msg: 'request',
    requestId: call?.attributes['request.id'],
    address: '127.0.0.1',
    userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(lines.map((one) => JSON.stringify(one)).join('')).not.toContain(CANARY);
});

test('each line of a job and of a loop has its name and its trace', () => {
  const [run] = named('job a-job');
  expect(job.find(({ msg }) => msg === 'job done')).toMatchObject({
    job: 'a-job',
    jobId: 'job-1',
    traceId: run?.traceId,
    spanId: run?.spanId,
  });
  expect(job.find(({ msg }) => msg === 'a turn of work failed')).toMatchObject({ loop: 'trying' });
});

test('a receiver that takes no traces is reported once', async () => {
  const said: string[] = [];
  const log = createLogTo({ write: (line) => void said.push(line) }, 'warn', 'test');
  const { port } = other.address() as AddressInfo;
  const stop = await startTracing(
    { endpoint: `http://127.0.0.1:${port}`, headers: { authorization: 'canary-header' }, ratio: 1 },
    { name: 'worker', log },
  );
  // More than are sent at once, so that they are sent before the end.
  for (let n = 0; n < 1_200; n++) await runJob({ name: 'a-job', id: `${n}`, log }, async () => {});
  await until(async () => said.length > 0);
  await stop();
  const lines = said.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'traces are not sent');
  expect(lines).toEqual([expect.objectContaining({ problem: 'Not Found, 404' })]);
  // It was not the work of the job that happened to start the timer.
  expect(lines[0]).not.toHaveProperty('jobId');
  expect(lines[0]).not.toHaveProperty('traceId');
  expect(said.join('')).not.toContain('canary-header');
});
