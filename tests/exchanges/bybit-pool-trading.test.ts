import { decimalToUnits } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import type { ClosedPosition } from '../../apps/server/src/integrations/exchanges/gateway.ts';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const MINUTE_MS = 60_000;
const one = poolAccount(1);
const { uid } = poolState(1);

const position = (
  category: 'linear' | 'inverse' | 'option',
  settleCoin: 'USDT' | 'USDC',
  symbol: string,
) => ({
  category,
  settleCoin,
  symbol,
  side: 'Sell' as const,
  size: '0.5',
  price: '3100.25',
  openedAt: 1,
});

test('open positions of every category are listed, empty ones are not', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, {
      positions: [
        position('linear', 'USDT', 'ETHUSDT'),
        { ...position('linear', 'USDT', 'BTCUSDT'), size: '0' },
        position('linear', 'USDC', 'ETHPERP'),
        position('inverse', 'USDT', 'ETHUSD'),
        position('option', 'USDC', 'ETH-26DEC26-4000-C'),
      ],
    }),
  ]);
  const { positions } = await venue.reads.listPositions(one, NOW);
  expect(positions.map(({ category, venueSymbol }) => `${category} ${venueSymbol}`)).toEqual([
    'linear ETHUSDT',
    'linear ETHPERP',
    'inverse ETHUSD',
    'option ETH-26DEC26-4000-C',
  ]);
  expect(positions[3]).toMatchObject({ side: 'short', size: '0.5' });
});

test('hundreds of empty rows do not hide an open position behind them', async () => {
  const empty = Array.from({ length: 200 }, (_, n) => ({
    ...position('linear', 'USDT', `E${n}USDT`),
    size: '0',
  }));
  await using venue = await startSimulatedPools([
    poolState(1, { positions: [...empty, position('linear', 'USDT', 'ETHUSDT')] }),
  ]);
  expect((await venue.reads.listPositions(one, NOW)).positions).toHaveLength(1);
});

test.each(['linear', 'inverse', 'option', 'spot'] as const)(
  'open %s orders are counted',
  async (category) => {
    await using venue = await startSimulatedPools();
    expect((await venue.reads.countOpenOrders(one, NOW)).count).toBe(0);
    venue.pools.change(uid, (pool) => {
      for (let n = 0; n < 120; n++) pool.orders.push({ id: `${category}-${n}`, category });
    });
    expect((await venue.reads.countOpenOrders(one, NOW)).count).toBe(120);
  },
);

test('the log, the closed positions and the balance of a trading pool agree to the unit', async () => {
  await using venue = await startSimulatedPools([poolState(1, { unified: 10_000n * USDT })]);
  const sinceMs = venue.now();
  venue.pools.startTrading(uid, MINUTE_MS);
  venue.advance(200 * MINUTE_MS + 50_000);
  expect((await venue.reads.listPositions(one, NOW)).positions).toHaveLength(1);
  venue.pools.stopTrading(uid);
  expect((await venue.reads.listPositions(one, NOW)).positions).toHaveLength(0);

  const span = { sinceMs, untilMs: venue.now() };
  const closed: ClosedPosition[] = [];
  let cursor: string | null = null;
  do {
    const page = await venue.reads.listClosedPnl(one, cursor === null ? span : { ...span, cursor }, NOW);
    closed.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(new Set(closed.map(({ venueId }) => venueId)).size).toBe(201);

  const sums = await venue.reads.sumTransactionLog(one, span, NOW);
  const { unified } = await venue.reads.readBalances(one, NOW);
  const tradedUnits = unified.ownUnits - 10_000n * USDT;
  expect(sums.byType).toEqual({ TRADE: tradedUnits });
  expect(tradedUnits).not.toBe(0n);
  const pnl = closed.map(({ closedPnl }) => decimalToUnits(closedPnl ?? '') ?? 0n);
  expect(pnl.reduce((total, units) => total + units)).toBe(tradedUnits);
});

test('the log is summed by type over weeks, and entries outside the span are not', async () => {
  await using venue = await startSimulatedPools([poolState(1, { unified: 0n })]);
  const startedAt = venue.now();
  const add = (type: string, units: bigint, at: number) =>
    venue.pools.change(uid, (pool) => {
      pool.log.push({
        id: `${type}-${at}`,
        type,
        cashFlow: units,
        funding: 0n,
        fee: 1n,
        cashBalance: 0n,
        at,
      });
    });
  const week = 7 * 86_400_000;
  for (const [n, at] of [0, week - 1, week, week + 1, 3 * week].entries())
    add(n % 2 ? 'SETTLEMENT' : 'TRADE', 10n ** BigInt(n) * USDT, startedAt + at);
  add('TRADE', 7n, startedAt - 1);
  venue.advance(4 * week);
  const read = (untilMs: number) => venue.reads.sumTransactionLog(one, { sinceMs: startedAt, untilMs }, NOW);
  expect(await read(startedAt + 3 * week)).toMatchObject({
    byType: { TRADE: 10_101n * USDT - 3n, SETTLEMENT: 1_010n * USDT - 2n },
  });
  expect(await read(startedAt + 3 * week - 1)).not.toEqual(await read(startedAt + 3 * week));
});

test('trading is the same for the same pool, and another for another', async () => {
  const run = async (index: number) => {
    await using venue = await startSimulatedPools([poolState(index, { unified: 1_000n * USDT })]);
    venue.pools.startTrading(poolState(index).uid, MINUTE_MS);
    venue.advance(20 * MINUTE_MS);
    return (await venue.reads.readBalances(poolAccount(index), NOW)).unified.ownUnits;
  };
  expect(await run(1)).toBe(await run(1));
  expect(await run(1)).not.toBe(await run(2));
});
