import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Change } from '../lib/live/change-stream.ts';
import { shownChangeAt } from '../lib/live/freshness.ts';
import { createRefresher } from './create-refresher.ts';

const AT = '2026-01-01T00:00:00.000Z';
const trader = (id: string): Change => ({ topic: 'trader', id, trader_id: null, at: AT });
const invoice = (id: string | null, traderId: string): Change => ({
  topic: 'invoice',
  id,
  trader_id: traderId,
  at: AT,
});
const named = (topic: 'payout' | 'pool', id: string): Change => ({ topic, id, trader_id: null, at: AT });

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A client with queries on screen, and a count of requests for each. */
async function onScreen(...keys: string[][]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const asked: Record<string, number> = {};
  for (const queryKey of keys) {
    const name = queryKey.join('/');
    const queryFn = () => {
      asked[name] = (asked[name] ?? 0) + 1;
      return name;
    };
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  }
  await vi.advanceTimersByTimeAsync(0);
  return { refresh: createRefresher(client), asked, client };
}

const LIST = ['traders', 'list', 'all', '0'];
const MINE = ['traders', 'detail', 'a', 'record'];
const OTHER = ['traders', 'detail', 'b', 'record'];
const LIVE = ['traders', 'live', 'a', 'balances'];

test("a change of a trader refreshes the lists and this trader's stored data", async () => {
  const { refresh, asked } = await onScreen(LIST, MINE, OTHER, LIVE);
  refresh(trader('a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual({
    [LIST.join('/')]: 2,
    [MINE.join('/')]: 2,
    [OTHER.join('/')]: 1,
    [LIVE.join('/')]: 1,
  });
  expect(shownChangeAt.get()).toBe(Date.parse(AT));
});

test('a change during a first read is read once that has ended, which no stream of changes prevents', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const answers: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  new QueryObserver(client, { queryKey: LIST, queryFn }).subscribe(() => {});
  const refresh = createRefresher(client);
  for (let step = 0; step < 5; step++) {
    refresh(trader('a'));
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(answers).toHaveLength(1);
  answers[0]?.('before the change');
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(LIST)).toBe('before the change');
  expect(answers).toHaveLength(2);
  answers[1]?.('after it');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(client.getQueryData(LIST)).toBe('after it');
  expect(answers).toHaveLength(2);
});

test('a stream of changes of other traders refreshes the list every four seconds, and no detail', async () => {
  const { refresh, asked } = await onScreen(LIST, MINE);
  for (let step = 0; step < 50; step++) {
    refresh(trader(`other-${step}`));
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(asked).toEqual({ [LIST.join('/')]: 1 + 3, [MINE.join('/')]: 1 });
});

test('queries out of sight are dropped', async () => {
  const { refresh, client } = await onScreen(LIST);
  client.setQueryData(MINE, 'seen before');
  client.setQueryData(OTHER, 'seen before');
  refresh(trader('a'));
  expect(client.getQueryData(MINE)).toBeUndefined();
  expect(client.getQueryData(OTHER)).toBe('seen before');
});

test('a change of an invoice refreshes that invoice, its trader and the lists, and no other invoice', async () => {
  const { refresh, asked, client } = await onScreen(LIST, MINE, OTHER);
  const open = (id: string, traderId: string) => {
    const queryFn = () => {
      asked[id] = (asked[id] ?? 0) + 1;
      return { trader_id: traderId };
    };
    new QueryObserver(client, { queryKey: ['invoices', 'detail', id, 'record'], queryFn }).subscribe(
      () => {},
    );
  };
  open('first', 'a');
  open('second', 'a');
  open('third', 'b');
  await vi.advanceTimersByTimeAsync(0);
  const counts = () => [
    asked.first,
    asked.second,
    asked.third,
    asked[MINE.join('/')],
    asked[OTHER.join('/')],
  ];
  refresh(invoice('first', 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(counts()).toEqual([2, 1, 1, 2, 1]);
  expect(asked[LIST.join('/')]).toBe(2);

  // Many invoices of a trader at once are not listed.
  await vi.advanceTimersByTimeAsync(10_000);
  refresh(invoice(null, 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(counts()).toEqual([3, 2, 1, 3, 1]);

  // An open invoice shows its trader's name.
  await vi.advanceTimersByTimeAsync(10_000);
  refresh(trader('b'));
  await vi.advanceTimersByTimeAsync(0);
  expect(counts()).toEqual([3, 2, 2, 3, 2]);
});

test('a change of a payout refreshes only the payout history, pending payables and paid sums by day', async () => {
  const history = ['payout-history', 'list'];
  const pending = ['payouts', 'pending', 'c'];
  const days = ['communities', 'days', 'c'];
  const { refresh, asked } = await onScreen(history, pending, days, LIST);
  refresh(named('payout', 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual({
    [history.join('/')]: 2,
    [pending.join('/')]: 2,
    [days.join('/')]: 2,
    [LIST.join('/')]: 1,
  });
});

test('after a gap everything is refreshed, the exchanges included', async () => {
  const { refresh, asked } = await onScreen(LIST, MINE, LIVE);
  refresh({ topic: 'reset', id: null, trader_id: null, at: AT });
  await vi.advanceTimersByTimeAsync(0);
  expect(Object.values(asked)).toEqual([2, 2, 2]);
});

test('a payout refreshes the wallets of the dashboard, and no figures of other screens', async () => {
  const ADMIN = ['communities', 'figures', 'admin'];
  const LEADERBOARD = ['communities', 'figures', 'list'];
  const { refresh, asked } = await onScreen(ADMIN, LEADERBOARD);
  refresh(named('payout', 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual({ [ADMIN.join('/')]: 2, [LEADERBOARD.join('/')]: 1 });
});

test('a pool refreshes everything of pools, and the AUM of the dashboard', async () => {
  const POOLS = ['pools', 'active'];
  const POOL = ['pools', 'pool', 'a', 'record'];
  const ADMIN = ['communities', 'figures', 'admin'];
  const { refresh, asked } = await onScreen(POOLS, POOL, ADMIN, LIST);
  refresh(named('pool', 'a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual({
    [POOLS.join('/')]: 2,
    [POOL.join('/')]: 2,
    [ADMIN.join('/')]: 2,
    [LIST.join('/')]: 1,
  });
});

test('a change of a newer server, which has no name here, refreshes the lists alone', async () => {
  const { refresh, asked } = await onScreen(LIST, MINE);
  refresh({ topic: 'unknown', at: AT });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual({ [LIST.join('/')]: 2, [MINE.join('/')]: 1 });
});

test('what somebody did about an item refreshes what needs people, and nothing else', async () => {
  const { refresh, asked } = await onScreen(['attention', 'list'], LIST);
  refresh({ topic: 'attention', id: null, trader_id: null, at: AT });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual({ 'attention/list': 2, [LIST.join('/')]: 1 });
});
