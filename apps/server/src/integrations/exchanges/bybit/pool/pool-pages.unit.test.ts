import { expect, test } from 'vitest';
import { NOW, sessionOf } from '../../../../../../../tests/support/exchanges/generated.ts';
import { countBybitOrders } from './pool-holdings.ts';
import { sumBybitLog } from './pool-log.ts';
import { windowsOf } from './pool-pages.ts';

const entry = (id: string, change: string) => ({ id, currency: 'USDT', type: 'TRADE', change });
const WEEK_MS = 7 * 86_400_000;

test('an entry that moved to the next page while it was read counts once', async () => {
  const pages: Record<string, object> = {
    first: { list: [entry('c', '1'), entry('b', '2')], nextPageCursor: 'second' },
    second: { list: [entry('b', '2'), entry('a', '4')], nextPageCursor: '' },
  };
  const session = sessionOf('bybit', (_method, { cursor = 'first' }) => ({ result: pages[String(cursor)] }));
  expect(await sumBybitLog(session, { sinceMs: NOW - WEEK_MS + 1, untilMs: NOW })).toEqual({
    byType: { TRADE: 7n * 10n ** 18n },
  });
});

test('entries of another currency are an error: the filter was ignored', async () => {
  const list = [{ ...entry('a', '1'), currency: 'BTC' }];
  const session = sessionOf('bybit', () => ({ result: { list, nextPageCursor: '' } }));
  await expect(sumBybitLog(session, { sinceMs: NOW - 1, untilMs: NOW })).rejects.toThrow('bad_response');
});

test('a list without an end is given up', async () => {
  let asked = 0;
  const session = sessionOf('bybit', () => {
    asked += 1;
    return { result: { list: [{ orderId: String(asked) }], nextPageCursor: String(asked) } };
  });
  await expect(countBybitOrders(session)).rejects.toThrow('bad_response');
  expect(asked).toBeLessThanOrEqual(5 * 50);
});

test('a repeated cursor is the end', async () => {
  const session = sessionOf('bybit', (_method, { category }) => ({
    result: { list: [{ orderId: String(category) }], nextPageCursor: 'same' },
  }));
  expect(await countBybitOrders(session)).toBe(4);
});

test('windows cover a span without gap or overlap', () => {
  const windows = windowsOf({ sinceMs: 5, untilMs: 27 }, 10);
  expect(windows).toEqual([
    { sinceMs: 5, untilMs: 14 },
    { sinceMs: 15, untilMs: 24 },
    { sinceMs: 25, untilMs: 27 },
  ]);
  expect(windowsOf({ sinceMs: 2, untilMs: 1 }, 10)).toEqual([]);
});
