import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { contract, type Entry } from '@copydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCallers } from '../../bench/attack/callers.ts';
import { runFuzz } from '../../bench/attack/fuzz.ts';
import { readKnownIds } from '../../bench/attack/fuzz-world.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// `npm run attack -- fuzz` sends 60,000, with a seed of their own each time.
const REQUESTS = 3_000;
const SEED = 26;
/** On a busy machine. Alone it takes 15 s. */
const PATIENCE_MS = 180_000;
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

let product: TestApp;
const rates = new Map<Entry, number | undefined>();
beforeAll(async () => {
  // Rates of single calls would refuse most requests before their input is read.
  for (const entry of Object.values(contract) as Entry[]) {
    rates.set(entry, entry.perMinute);
    delete entry.perMinute;
  }
  product = await createTestApp({ scale: 0.02 });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const [entry, rate] of rates) if (rate !== undefined) entry.perMinute = rate;
  await product.close();
});

test(
  'no request, whatever it holds, is answered without the envelope and the headers, or with a failure of ours',
  async () => {
    const { port } = product.app.server.address() as AddressInfo;
    const result = await runFuzz({
      port,
      document: JSON.parse(readFileSync(DOCUMENT, 'utf8')),
      callers: await createCallers(`http://127.0.0.1:${port}`),
      readIds: () => readKnownIds(product.ownerUrl),
      requests: REQUESTS,
      seed: SEED,
      mostMs: PATIENCE_MS,
    });
    expect(result.findings).toEqual([]);
    expect(result.sent).toBe(REQUESTS);
    // The requests are not refused at the door: many calls accept some.
    expect(result.accepted).toBeGreaterThan(result.operations / 3);
  },
  PATIENCE_MS,
);
