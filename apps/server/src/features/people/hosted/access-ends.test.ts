import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../../../../../tests/support/identity/callers.ts';
import { hostedVariables } from '../../../../../../tests/support/identity/hosted-variables.ts';
import {
  createHostedWorld,
  type HostedWorld,
} from '../../../../../../tests/support/identity/hosted-world.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { until } from '../../../../../../tests/support/until.ts';
import { startWorkerProcess } from '../../../../../../tests/support/worker-process.ts';

// Two API processes, of which one gets the webhooks, and a worker that is a process of its own.

let world: HostedWorld;
let other: TestApp;
beforeAll(async () => {
  world = await createHostedWorld();
  other = await createTestApp({
    sharing: { ownerUrl: world.product.ownerUrl },
    env: hostedVariables(world.clerk),
  });
});
afterAll(async () => {
  await other?.close();
  await world?.close();
});

/** An ended session may be used for so long. The worker looks every ten seconds, were it not woken. */
const LIMIT_MS = 5_000;

test('a ban and the end of a session hold within seconds, in every process', async () => {
  await startWorkerProcess(world.product.ownerUrl, hostedVariables(world.clerk));
  const beats = async () => (await world.owner('SELECT FROM worker_heartbeat')).length;
  const before = await beats();
  await until(async () => (await beats()) > before, 30_000);

  for (const end of [
    (id: string) => world.instance.ban(id),
    (_id: string, session: string) => world.instance.endSession(session, 'revoked'),
    (id: string) => world.instance.deleteUser(id),
  ]) {
    const { user, session } = await world.person({ admin: true });
    const authorization = world.authorize(session.id);
    const statuses = async () =>
      Promise.all(
        [world.product, other].map(async (api) => {
          // A reading call, which may be answered from the cache of the process.
          return (await call(api, ['GET', '/api/me'], { authorization })).status;
        }),
      );
    expect(await statuses()).toEqual([200, 200]);
    const at = performance.now();
    end(user.id, session.id);
    while ((await statuses()).includes(200) && performance.now() - at < LIMIT_MS) await sleep(20);
    expect(await statuses()).toEqual([401, 401]);
    expect(performance.now() - at).toBeLessThan(LIMIT_MS);
    console.log(`ended everywhere after ${Math.round(performance.now() - at)} ms`);
  }
});
