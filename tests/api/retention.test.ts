import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneSnapshots } from '../../apps/server/src/features/exchanges/reading/snapshots.store.ts';
import { pruneMessages } from '../../apps/server/src/features/messages/prune-messages.store.ts';
import { purgeChanges } from '../../apps/server/src/platform/http/events/purge.store.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const YEAR_MS = 365 * 86_400_000;

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
});
afterAll(() => product?.close());

const count = async (what: string) =>
  (await asOwner<{ n: number }>(product.ownerUrl, `SELECT count(*)::int AS n FROM ${what}`))[0]?.n ?? 0;
/** As the worker sees it in two years. */
const later = () => ({ db: product.db, now: () => new Date(Date.now() + 2 * YEAR_MS) });

test('without a retention nothing goes', async () => {
  expect(await pruneMessages(later(), null)).toBe(0);
  expect(await pruneSnapshots(later(), { keptDays: null, keepsTables: false })).toEqual({
    months: [],
    rows: 0,
  });
});

test('old messages go, but for those that were not sent or whose invoice is pending', async () => {
  await asOwner(
    product.ownerUrl,
    `INSERT INTO message (trader_id, invoice_id, kind, language, text, dedupe_key, state, sent_at, requested_by)
     SELECT i.trader_id, i.id, 'invoice_created', 'en', 'text', 'retention ' || i.id,
       CASE WHEN i.nth % 3 = 0 THEN 'failed' ELSE 'sent' END, CASE WHEN i.nth % 3 = 0 THEN NULL ELSE now() END, 'test'
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS nth FROM invoice) i`,
  );
  const stays = `message m WHERE m.state <> 'sent'
    OR EXISTS (SELECT FROM invoice i WHERE i.id = m.invoice_id AND i.status = 'pending')`;
  const [all, staying] = [await count('message'), await count(stays)];
  expect(staying).toBeGreaterThan(0);
  expect(await pruneMessages({ db: product.db, now: () => new Date() }, 90)).toBeLessThan(all - staying);
  await pruneMessages(later(), 365);
  expect([await count('message'), await count(stays)]).toEqual([staying, staying]);
});

test("traders' days of before they were divided by month go, and the sums of communities stay", async () => {
  const sums = await count('community_day');
  const days = await count('equity_snapshot');
  expect(days).toBeGreaterThan(0);
  const pruned = await pruneSnapshots(later(), { keptDays: 400, keepsTables: false });
  expect(pruned).toEqual({ months: [], rows: days });
  expect([await count('equity_snapshot'), await count('community_day')]).toEqual([0, sums]);
});

test('two workers at once delete everything that is old, and nothing else', async () => {
  await asOwner(
    product.ownerUrl,
    `INSERT INTO change_event (at, topic, provider_ids)
     SELECT now() - make_interval(hours => 23 + (n % 10 > 0)::int * 2), 'trader', '{}' FROM generate_series(1, 30000) n`,
  );
  const old = "change_event WHERE at < now() - interval '24 hours'";
  const [all, going] = [await count('change_event'), await count(old)];
  expect(going).toBeGreaterThanOrEqual(27_000);
  const [first, second] = await Promise.all([purgeChanges(product.db, 24), purgeChanges(product.db, 24)]);
  expect(first + second).toBe(going);
  expect([await count('change_event'), await count(old)]).toEqual([all - going, 0]);
});
