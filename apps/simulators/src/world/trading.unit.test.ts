import { EXCHANGES } from '@copydesk/domain/catalogue';
import { Address, Secp256k1 } from 'ox';
import { expect, test } from 'vitest';
import {
  closedPositionsBetween,
  createDirectory,
  createHistory,
  createTrader,
  createWorldAccounts,
  decimalText,
  equityAt,
  FEES_INCLUDED,
  openPositionsAt,
  priceAt,
} from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const epoch = new Date('2026-03-01T10:00:00.000Z');
const epochMs = epoch.getTime();
const world = createWorldAccounts({ epoch, count: 200 });
const accounts = EXCHANGES.flatMap((exchange) => world.list(exchange));
const active = accounts.filter((account) => account.isTrading && account.equity !== null);

test('any moment within the hour of the epoch gives the same accounts', () => {
  const later = createWorldAccounts({ epoch: new Date(epochMs + 59 * 60_000), count: 200 });
  expect(later.size).toBe(world.size);
  const at = epochMs + 3 * DAY_MS;
  for (const [nth, account] of EXCHANGES.flatMap((exchange) => later.list(exchange)).entries()) {
    const twin = accounts[nth];
    expect({ ...account, history: null }).toEqual({ ...twin, history: null });
    if (twin) expect(openPositionsAt(account, at)).toEqual(openPositionsAt(twin, at));
  }
});

test("up to the epoch a venue's history equals the seeded database", () => {
  const directory = createDirectory(epoch);
  for (let index = 1; index <= 60; index++) {
    const trader = createTrader(index, directory, epoch);
    for (const row of createHistory(trader, directory.providers, epoch).positions) {
      const account = accounts.find(({ id }) => id === row.account.id);
      const at = row.closedAt.getTime();
      const record =
        account && closedPositionsBetween(account, at, at).find((one) => one.venueId === row.venueId);
      expect(record).toMatchObject({
        symbol: row.symbol,
        side: row.side,
        leverage: row.leverage,
        closedAt: at,
      });
      expect(decimalText(record?.closedPnl ?? 0)).toBe(decimalText(row.pnlCents / 100));
      expect(Number(record?.contracts)).toBe(Number(row.contracts));
      expect(Number(record?.entryPrice)).toBe(Number(row.entryPrice));
    }
  }
});

test('the ids of closed positions are unique within an account, over a year of history and trading', () => {
  for (const account of active.slice(0, 40)) {
    const ids = closedPositionsBetween(account, 0, epochMs + 90 * DAY_MS).map((one) => one.venueId);
    expect(new Set(ids).size).toBe(ids.length);
    if (account.exchange === 'binance' || account.exchange === 'hyperliquid')
      for (const { openId, closeId } of closedPositionsBetween(account, 0, epochMs + DAY_MS))
        for (const id of [openId, closeId]) expect(String(Number(id))).toBe(id);
  }
});

test('equity is the first one, plus later profits minus fees', () => {
  for (const account of active) {
    expect(equityAt(account, epochMs)).toBe(Number(account.equity));
    const carried = openPositionsAt(account, epochMs);
    for (const days of [0.1, 1, 9.37]) {
      const at = epochMs + days * DAY_MS;
      const closed = closedPositionsBetween(account, epochMs + 1, at);
      const open = openPositionsAt(account, at);
      const began = carried.reduce((sum, one) => sum + one.unrealizedPnl - one.openFee, 0);
      const earned = closed.reduce((sum, one) => sum + one.grossPnl - one.openFee - one.closeFee, 0);
      const floating = open.reduce((sum, one) => sum + one.unrealizedPnl - one.openFee, 0);
      expect(equityAt(account, at)).toBeCloseTo(Number(account.equity) - began + earned + floating, 5);
    }
  }
});

test('no account goes broke within three months, and an idle one keeps its equity', () => {
  for (const account of accounts) {
    const equity = equityAt(account, epochMs + 90 * DAY_MS);
    if (!account.isTrading) expect(equity).toBe(Number(account.equity ?? 0));
    else if (account.equity !== null) expect(equity).toBeGreaterThan(0);
  }
});

test('an open position later appears as a closed one, with the same opening', () => {
  const at = epochMs + 2 * DAY_MS;
  const open = active.flatMap((account) => openPositionsAt(account, at).map((one) => ({ account, one })));
  expect(open.length).toBeGreaterThan(active.length / 2);
  for (const { account, one } of open) {
    const later = closedPositionsBetween(account, at, at + DAY_MS).find(
      ({ openId }) => openId === one.openId,
    );
    expect(later).toMatchObject({ symbol: one.symbol, entryPrice: one.entryPrice, openedAt: one.openedAt });
  }
});

test('profit, prices, size and fees agree to the cent', () => {
  for (const account of active)
    for (const one of closedPositionsBetween(account, epochMs - 30 * DAY_MS, epochMs + 3 * DAY_MS)) {
      const move = (Number(one.exitPrice) - Number(one.entryPrice)) * Number(one.contracts);
      const gross = one.side === 'long' ? move : -move;
      expect(Math.abs(gross - one.grossPnl)).toBeLessThan(0.001);
      const fees = FEES_INCLUDED[account.exchange] ? one.openFee + one.closeFee : 0;
      expect(one.closedPnl).toBeCloseTo(one.grossPnl - fees, 6);
    }
});

test('prices move within a minute, keep their range, and are the same for USDT and USDC', () => {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let hour = 0; hour < 24 * 60; hour++) {
    const price = priceAt('BTCUSDT', epochMs + hour * HOUR_MS);
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  expect(low).toBeGreaterThan(64_000 * 0.9);
  expect(high).toBeLessThan(64_000 * 1.1);
  expect(high / low).toBeGreaterThan(1.06);
  const minute = [0, 10, 20, 30, 40].map((s) => priceAt('BTCUSDT', epochMs + s * 1000).toFixed(1));
  expect(new Set(minute).size).toBe(5);
  expect(priceAt('BTCUSDC', epochMs)).toBe(priceAt('BTCUSDT', epochMs));
});

test('credentials are distinct, look like those of their venue, and find their account', () => {
  const keys = new Set<string>();
  for (const account of accounts) {
    const credentials = world.credentialsOf(account);
    if (credentials.exchange === 'hyperliquid') {
      keys.add(credentials.agentPrivateKey);
      const publicKey = Secp256k1.getPublicKey({ privateKey: credentials.agentPrivateKey });
      expect(Address.fromPublicKey(publicKey, { checksum: true })).toBe(credentials.agentAddress);
      expect(world.findByAddress(credentials.agentAddress)).toEqual({ account, role: 'agent' });
      expect(world.findByAddress(credentials.masterAddress.toUpperCase().replace('0X', '0x'))).toEqual({
        account,
        role: 'account',
      });
    } else {
      keys.add(credentials.apiKey);
      expect(world.findByApiKey(account.exchange, credentials.apiKey)).toBe(account);
      const look = {
        bybit: /^[A-Za-z0-9]{18}$/,
        binance: /^[A-Za-z0-9]{64}$/,
        okx: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        kucoin: /^[0-9a-f]{24}$/,
      }[credentials.exchange];
      expect(credentials.apiKey).toMatch(look);
      if ('passphrase' in credentials) keys.add(credentials.passphrase);
    }
  }
  const withPassphrase = accounts.filter(({ exchange }) => exchange === 'okx' || exchange === 'kucoin');
  expect(keys.size).toBe(accounts.length + withPassphrase.length);
});

test('few keys are refused, a third is restricted, a few may withdraw', () => {
  const many = createWorldAccounts({ epoch, count: 3000 });
  const all = EXCHANGES.flatMap((exchange) => many.list(exchange)).filter((one) => one.spareName === null);
  const share = (of: (account: (typeof all)[number]) => boolean) => all.filter(of).length / all.length;
  expect(share(({ traits }) => traits.isRevoked)).toBeCloseTo(0.0125, 2);
  const isShutOut = ({ traits }: (typeof all)[number]) =>
    traits.ipWhitelist.length > 0 && !traits.ipWhitelist.includes('127.0.0.1');
  expect(share(isShutOut)).toBeCloseTo(0.0125, 2);
  expect(Math.abs(share(({ traits }) => traits.ipWhitelist.length > 0) - 1 / 3)).toBeLessThan(0.03);
  expect(share(({ traits }) => traits.mayWithdraw)).toBeCloseTo(0.02, 2);
  for (const { traits } of all) expect(traits.ipWhitelist.length).toBeLessThanOrEqual(6);
});

test('every venue has spare accounts of every kind', () => {
  for (const exchange of EXCHANGES) {
    const spare = world.list(exchange).filter((account) => account.spareName !== null);
    expect(spare.map((account) => account.spareName)).toContain('plain');
    expect(spare.some(({ traits }) => traits.books !== 'plain')).toBe(true);
    expect(new Set(spare.map(({ accUid }) => accUid)).size).toBe(spare.length);
    expect(openPositionsAt(spare[0] as (typeof spare)[number], epochMs + DAY_MS)).toBeInstanceOf(Array);
  }
});
