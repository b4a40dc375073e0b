import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeProblem } from '@copydesk/domain/trading';
import type { Fault } from '@copydesk/simulators/venues';
import {
  type ClosedTrade,
  closedPositionsBetween,
  equityAt,
  openPositionsAt,
  type WorldAccount,
} from '@copydesk/simulators/world';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import { startSimulatedVenue } from './simulated-venue.ts';

const DAY_MS = 86_400_000;
const INTERACTIVE: ReadOptions = { priority: 'interactive' };
const ANEW: ReadOptions = { ...INTERACTIVE, maxAgeMs: 0 };

/** The differences of one venue from the others. */
export interface VenueFacts {
  exchange: Exchange;
  venueId(trade: ClosedTrade): string;
  feesIncluded: boolean;
  tellsLeverage: boolean;
  /** Whether closed positions have sizes. */
  tellsSize: boolean;
  /** How many days back the venue's history goes, as far as the walk below reaches. */
  remembersDays: number;
  /** Requests for one account's equity and positions, once contracts are cached. */
  requests: { equity: number; positions: number };
  refusals: Record<'wrong_key' | 'ip_refused' | 'clock_skew', ExchangeProblem>;
}

/** Tests that every venue must pass. */
export function testVenue(facts: VenueFacts): void {
  const { exchange } = facts;
  const start = (
    ...args: Parameters<typeof startSimulatedVenue> extends [unknown, ...infer Rest] ? Rest : never
  ) => startSimulatedVenue(exchange, ...args);

  describe(`${exchange}, simulated`, () => {
    test('equity is that of the account at this moment', async () => {
      await using venue = await start();
      const some = venue.trading.slice(0, 10);
      expect(some.length).toBeGreaterThan(3);
      for (const one of some) {
        const { equityUsd } = await venue.gateway.equity(venue.ours(one), INTERACTIVE);
        const real = equityAt(one, Date.now());
        expect(Math.abs(Number(equityUsd) - real)).toBeLessThan(Math.max(1, real * 0.01));
      }
      venue.requests.reset();
      const [first] = some as [WorldAccount];
      await venue.gateway.equity(venue.ours(first), ANEW);
      expect(venue.requests.count()).toBe(facts.requests.equity);
    });

    test('open positions are all of them, in base units', async () => {
      await using venue = await start();
      let count = 0;
      for (const one of venue.trading.slice(0, 15)) {
        const at = Date.now();
        const { positions } = await venue.gateway.openPositions(venue.ours(one), INTERACTIVE);
        const real = openPositionsAt(one, at);
        count += real.length;
        const briefly = (list: { symbol: string; side: string }[]) =>
          list.map(({ symbol, side }) => `${symbol} ${side}`).sort();
        expect(briefly(positions)).toEqual(briefly(real));
        for (const trade of real) {
          const ours = positions.find(({ symbol, side }) => symbol === trade.symbol && side === trade.side);
          expect(Number(ours?.contracts)).toBeCloseTo(Number(trade.contracts), 9);
          expect(Number(ours?.entryPrice)).toBe(Number(trade.entryPrice));
          expect(Number(ours?.leverage)).toBe(trade.leverage);
          expect(Number(ours?.markPrice) / Number(trade.markPrice)).toBeCloseTo(1, 2);
          expect(ours?.unrealizedPnl).toMatch(/^-?\d+(\.\d+)?$/);
        }
      }
      expect(count).toBeGreaterThan(5);
      venue.requests.reset();
      const busy = venue.trading.find((one) => openPositionsAt(one, Date.now()).length > 0);
      if (busy) await venue.gateway.openPositions(venue.ours(busy), ANEW);
      expect(venue.requests.count()).toBe(facts.requests.positions);
    });

    test('months of closed positions come once each', async () => {
      await using venue = await start();
      const untilMs = Date.now() - 3_600_000;
      const sinceMs = untilMs - 120 * DAY_MS;
      let count = 0;
      for (const one of venue.trading.slice(0, 6)) {
        const { items, coverageFrom } = await venue.closed(one, { sinceMs, untilMs });
        const remembered = Math.max(sinceMs, Date.now() - facts.remembersDays * DAY_MS);
        // The edge of the venue's history moves during the read.
        const isAtEdge = ({ closedAt }: { closedAt: number }) => Math.abs(closedAt - remembered) < 60_000;
        const real = closedPositionsBetween(one, remembered, untilMs).filter((trade) => !isAtEdge(trade));
        const ours = items.filter((item) => !isAtEdge(item));
        const pnlOf = (trade: ClosedTrade) => (facts.feesIncluded ? trade.closedPnl : trade.grossPnl);
        // Where only PnL marks a closing fill, one without profit stays unknown.
        const told = real.filter((trade) => exchange !== 'binance' || pnlOf(trade) !== 0);
        expect(ours.map(({ venueId }) => venueId).sort()).toEqual(told.map(facts.venueId).sort());
        const byId = new Map(ours.map((item) => [item.venueId, item]));
        for (const trade of told) {
          const item = byId.get(facts.venueId(trade));
          expect(item).toMatchObject({ symbol: trade.symbol, side: trade.side, closedAt: trade.closedAt });
          expect(Number(item?.closedPnl)).toBeCloseTo(pnlOf(trade), 6);
          expect(Number(item?.exitPrice)).toBeCloseTo(Number(trade.exitPrice), 9);
          expect(Number(item?.entryPrice) / Number(trade.entryPrice)).toBeCloseTo(1, 5);
          expect(item?.leverage === null).toBe(!facts.tellsLeverage);
          if (facts.tellsSize) expect(Number(item?.contracts)).toBeCloseTo(Number(trade.contracts), 9);
          expect(item?.feesIncluded).toBe(facts.feesIncluded);
        }
        expect(coverageFrom).toBeLessThan(untilMs);
        count += told.length;
      }
      expect(count).toBeGreaterThan(100);
    }, 30_000);

    test('a range without anything is an empty page or some, and then the end', async () => {
      await using venue = await start();
      const [one] = venue.trading as [WorldAccount];
      expect(await venue.closed(one, { sinceMs: 2_000, untilMs: 1_000 })).toMatchObject({ items: [] });
      const future = Date.now() + 1_000;
      expect(await venue.closed(one, { sinceMs: future, untilMs: future + 60_000 })).toMatchObject({
        items: [],
      });
    });

    const FAULTS: [Fault, ExchangeProblem][] = [
      [{ kind: 'wrong_key' }, facts.refusals.wrong_key],
      [{ kind: 'ip_refused' }, facts.refusals.ip_refused],
      [{ kind: 'clock_skew' }, facts.refusals.clock_skew],
      [{ kind: 'rate_limit' }, 'rate_limited'],
      [{ kind: 'maintenance' }, 'venue_unavailable'],
      [{ kind: 'server_error' }, 'venue_unavailable'],
      [{ kind: 'timeout' }, 'timeout'],
      [{ kind: 'cut' }, 'venue_unavailable'],
      [{ kind: 'malformed', body: 'truncated' }, 'bad_response'],
      [{ kind: 'malformed', body: 'html' }, 'bad_response'],
    ];

    test.each(FAULTS)('fault %j is %s, for verifying and for reading', async (fault, code) => {
      await using venue = await start({}, { timeoutMs: 300 });
      const [one, other] = venue.trading as [WorldAccount, WorldAccount];
      venue.faults.set(fault);
      await expect(venue.gateway.keyInfo(venue.ours(one), ANEW)).rejects.toMatchObject({ code });
      venue.faults.clear();
      // Other accounts are read as before, except during a pause that the venue asked for.
      if (code !== 'rate_limited')
        expect(await venue.gateway.keyInfo(venue.ours(other), ANEW)).toMatchObject({
          readAt: expect.any(Number),
        });
    });

    test('a slow venue is waited for', async () => {
      await using venue = await start();
      const [one] = venue.trading as [WorldAccount];
      await venue.gateway.equity(venue.ours(one), ANEW);
      venue.requests.reset();
      venue.faults.set({ kind: 'latency', ms: 300 });
      await venue.gateway.equity(venue.ours(one), ANEW);
      expect(venue.requests.count()).toBe(facts.requests.equity);
    });
  });
}
