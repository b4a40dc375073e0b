import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './server.ts';

/** Longer than the delay of the event loop above which a server refuses requests. */
const BUSY_MS = 3_500;

/** What a server answers that is kept busy from when it begins to listen, as one is that compiles its code. */
async function statusOfBusyServer(settlingMs?: number): Promise<number> {
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    isSecure: false,
    endStreams: async () => {},
    ...(settlingMs !== undefined && { settlingMs }),
  });
  onTestFinished(() => app.close());
  app.get('/', async () => 'here');
  await app.listen({ port: 0 });
  // The first timer has run: a settling time of 0 is over.
  await new Promise((resolve) => setTimeout(resolve, 1));
  block(BUSY_MS);
  // The delay is measured once a second: by the first timer after the busy time.
  await new Promise((resolve) => setTimeout(resolve, 1));
  const { port } = app.server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`)).status;
}

/** Holds up the event loop as compiling does, but leaves the core to other tests. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

// One after the other: the mean delay since a server was created counts, so each has to be new when it is blocked.
test('a server that has just begun to listen refuses nothing, and a settled one does under pressure', async () => {
  expect(await statusOfBusyServer()).toBe(200);
  expect(await statusOfBusyServer(0)).toBe(503);
});
