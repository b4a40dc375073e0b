import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { signIn, startApi } from '../../../tests/support/api-process.ts';
import { applicationUrlOf } from '../../../tests/support/application-url.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { freePort, NGINX, statusOf } from '../../../tests/support/documented-proxies.ts';

// npm run chaos -- rolling [--holds=20] [--reads=10000] [--seed=N]: two APIs behind nginx as documented, and clients that
// read. One API after the other is stopped by SIGSTOP for 1.5 to 5 s, as by a machine that is short of processors, and goes
// on. Every read has to be answered, and none refused: what one API refuses after all, because a wait for a connection of
// the database ended during the stop, nginx passes on to the other.
const holds = Number(process.env.CHAOS_HOLDS ?? 20);
const reads = Number(process.env.CHAOS_READS ?? 10_000);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
const CLIENTS = 24;
const SHORTEST_MS = 1_500;
const LONGEST_MS = 5_000;
/** A loaded API answers what waited before the next one is held up. */
const BETWEEN_MS = 500;
const PATHS = ['/api/config', '/api/traders?limit=20', '/api/communities', '/api/me'];

test.skipIf(!NGINX.isThere)('an API that was held up refuses no read', async () => {
  console.log(`${holds} holds, at least ${reads} reads, --seed=${seed}`);
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const applicationUrl = await applicationUrlOf(database.ownerUrl);
  const ports = [await freePort(), await freePort()] as const;
  const first = await startApi(ports[0], applicationUrl);
  const apis = [first, await startApi(ports[1], applicationUrl)];
  const { url, asked } = await NGINX.start(ports);
  let authorization = await signIn(first);

  const answered = new Map<number, number>();
  let slowestMs = 0;
  let count = 0;
  let isHolding = true;
  const client = async () => {
    while (isHolding || count < reads) {
      const startedAt = performance.now();
      const status = await statusOf(`${url}${PATHS[count++ % PATHS.length]}`, { headers: { authorization } });
      answered.set(status, (answered.get(status) ?? 0) + 1);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      await sleep(10);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const random = drawn(seed);
  for (let hold = 0; hold < holds; hold++) {
    const { child } = apis[hold % apis.length] ?? first;
    child.kill('SIGSTOP');
    await sleep(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
    child.kill('SIGCONT');
    await sleep(BETWEEN_MS);
    // Tokens last five minutes.
    if (hold % apis.length === 1) authorization = await signIn(first);
  }
  isHolding = false;
  await Promise.all(clients);

  const passedOn = asked().filter((statuses) => statuses.length > 1);
  const refused = asked().filter((statuses) => statuses.includes('503'));
  console.log(
    `${count} reads, by status ${JSON.stringify(Object.fromEntries(answered))}; the slowest took ${(slowestMs / 1_000).toFixed(1)} s; ` +
      `${refused.length} were refused by an API, ${passedOn.length} passed on to the other`,
  );
  expect(count).toBeGreaterThanOrEqual(reads);
  expect([...answered.keys()]).toEqual([200]);
});

/** Numbers in [0, 1), the same for the same seed. */
function drawn(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
