import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import {
  CREDENTIALS,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../tests/support/exchanges/loopback-venue.ts';
import { createExchangeGateway } from './create-gateway.ts';
import { measureVenues } from './measure-venues.ts';
import type { VenueNotice } from './notices.ts';
import { createThreadedGateway } from './threaded-gateway.ts';

const ROW = { symbol: 'BTCUSD', side: 'Buy', size: '1', avgPrice: '1' };

test.each([
  ['in this process', createExchangeGateway],
  ['in a thread', createThreadedGateway],
] as const)(
  'odd answers are counted and reported, by a gateway %s',
  { timeout: 60_000 },
  async (_where, create) => {
    await using venue = await startLoopbackVenue(({ path }) =>
      path.endsWith('position/list')
        ? { body: { retCode: 0, result: { list: [ROW], nextPageCursor: 'again' } } }
        : { body: { retCode: 987654, retMsg: 'secret text' } },
    );
    const notices: VenueNotice[] = [];
    const gateway = create(settingsAt(venue.url), {
      now: Date.now,
      onNotice: (notice) => notices.push(notice),
    });
    const registry = new Registry();
    measureVenues(registry, gateway);
    const account = { key: 'a', credentials: CREDENTIALS.bybit };
    const options = { priority: 'interactive', maxAgeMs: 0 } as const;
    // Its own page again, in each of three lists: the position is listed once in each.
    expect((await gateway.openPositions(account, options)).positions).toHaveLength(3);
    expect(venue.requests).toHaveLength(6);
    await expect(gateway.keyInfo(account, options)).rejects.toThrow('bad_response');
    for (let scrape = 0; scrape < 2; scrape += 1) {
      const text = await registry.metrics();
      expect(text).toContain(
        'copydesk_exchange_lists_ended_total{exchange="bybit",reason="cursor_repeated"} 3',
      );
      expect(text).toContain('copydesk_exchange_unknown_codes_total{exchange="bybit",code="987654"} 1');
      expect(text).not.toContain('secret');
    }
    expect(notices.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
      'list_ended cursor_repeated',
      'unknown_code 987654',
    ]);
    await gateway.close();
  },
);
