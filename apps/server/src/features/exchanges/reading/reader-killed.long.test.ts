import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { startWorkerProcess } from '../../../../../../tests/support/worker-process.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';

const READ_WITHIN_MS = 30_000;

let venues: TestVenues;
let product: TestApp;

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({ scale: 0.1, seededAt, env: venues.env });
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});

const startWorker = () => startWorkerProcess(product.ownerUrl, venues.env);

const one = async <R extends Record<string, unknown>>(text: string) =>
  (await asOwner<R>(product.ownerUrl, text))[0] as R;

async function until(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms`);
    await sleep(100);
  }
}

test('accounts of a worker that is killed while it reads are read by another soon, and once', {
  timeout: 600_000,
}, async () => {
  await one("UPDATE account_reading SET due_at = now() + interval '1 hour', finished_at = NULL");
  await one(`UPDATE account_reading SET due_at = now(), closed_read_at = NULL WHERE exchange = 'bybit'`);
  const { n: due } = await one<{ n: number }>(
    "SELECT count(*)::int AS n FROM account_reading WHERE exchange = 'bybit'",
  );
  venues.of.bybit.faults.set({ kind: 'latency', ms: 5_000 });

  const first = await startWorker();
  await until(
    async () =>
      (await one<{ n: number }>('SELECT count(*)::int AS n FROM account_reading WHERE leased_until > now()'))
        .n > 0,
    20_000,
  );
  first.kill('SIGKILL');
  await once(first, 'exit');
  const killedAt = Date.now();
  const { n: held } = await one<{ n: number }>(
    'SELECT count(*)::int AS n FROM account_reading WHERE leased_until > now()',
  );
  expect(held).toBeGreaterThan(0);
  venues.of.bybit.faults.clear();

  const second = await startWorker();
  await until(
    async () =>
      (
        await one<{ n: number }>(
          "SELECT count(*)::int AS n FROM account_reading WHERE exchange = 'bybit' AND finished_at IS NOT NULL",
        )
      ).n === due,
    READ_WITHIN_MS,
  );
  expect(Date.now() - killedAt).toBeLessThan(READ_WITHIN_MS);
  second.kill('SIGTERM');
  await once(second, 'exit');
  const { doubled, held: stillHeld } = await one<{ doubled: number; held: number }>(
    `SELECT (SELECT count(*) - count(DISTINCT (account_id, venue_id)) FROM closed_position)::int AS doubled,
      (SELECT count(*)::int FROM account_reading WHERE leased_until IS NOT NULL) AS held`,
  );
  expect({ doubled, stillHeld }).toEqual({ doubled: 0, stillHeld: 0 });
});
