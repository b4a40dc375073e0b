import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './server.ts';

/** Longer than any measure of a second's mean delay forgives. */
const HELD_UP_MS = 3_500;

async function serve(mostWaiting?: number) {
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    isSecure: false,
    endStreams: async () => {},
    ...(mostWaiting !== undefined && { mostWaiting }),
  });
  onTestFinished(() => app.close());
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.get('/', async () => 'here');
  let slow = 0;
  app.get('/slow', async () => {
    slow += 1;
    await released;
    return 'late';
  });
  app.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).flushHeaders();
    void released.then(() => reply.raw.end());
  });
  app.post('/taken', async () => 'taken');
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const statusOf = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
  return { statusOf, release, port, slow: () => slow };
}

/** Holds up the event loop as a stopped machine does, and leaves the core to other tests. */
const holdUp = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const passes = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a server that was held up answers what it finds then, and what arrives next', async () => {
  const { statusOf } = await serve();
  await statusOf('/');
  const found = Array.from({ length: 20 }, () => statusOf('/'));
  holdUp(HELD_UP_MS);
  // What measured delays once a second did so by the first timer.
  await passes(1);
  const next = Array.from({ length: 20 }, () => statusOf('/'));
  expect(new Set(await Promise.all([...found, ...next]))).toEqual(new Set([200]));
});

test('requests beyond those that may wait are refused, until fewer do', async () => {
  const { statusOf, release, slow } = await serve(3);
  const waiting = Array.from({ length: 3 }, () => statusOf('/slow'));
  await expect.poll(slow).toBe(3);
  expect(await statusOf('/')).toBe(503);
  release();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
  expect(await statusOf('/')).toBe(200);
});

test('requests whose body has not come wait for their sender, and keep nobody out', async () => {
  const { statusOf, port } = await serve(3);
  const senders = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const sender = connect(port, '127.0.0.1');
      await once(sender, 'connect');
      sender.write(
        'POST /taken HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
      return sender;
    }),
  );
  await passes(100);
  expect(await statusOf('/')).toBe(200);
  for (const sender of senders) sender.destroy();
});

test('streams that are open do not count as waiting', async () => {
  const { statusOf, release } = await serve(3);
  for (let n = 0; n < 5; n++) expect(await statusOf('/stream')).toBe(200);
  expect(await statusOf('/')).toBe(200);
  release();
});
