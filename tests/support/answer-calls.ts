import { createAnswering } from '../../apps/server/src/features/pools/exchange/answer-requests.ts';
import type { PoolVenue } from '../../apps/server/src/integrations/exchanges/pool-venue.ts';
import { listen } from '../../apps/server/src/platform/db/connection/listen.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import type { Logger } from '../../apps/server/src/platform/observe/log.ts';
import { startWorkLoop } from '../../apps/server/src/platform/work/work-loop.ts';
import { POOL_KEYS } from './test-keys.ts';

/** The part of a worker that a test's API cannot do without: it answers the calls that need the exchange of a pool. */
export function answerCallsAboutPools({
  ownerUrl,
  db,
  venue,
  log,
  now,
}: {
  ownerUrl: string;
  db: Database;
  venue: () => PoolVenue;
  log: Logger;
  now: () => Date;
}) {
  let isAway = false;
  const answering = createAnswering({
    db,
    log,
    now,
    poolKeys: POOL_KEYS,
    venue: new Proxy({} as PoolVenue, { get: (_, name) => Reflect.get(venue(), name) }),
  });
  const loop = startWorkLoop({
    name: 'calls about pools',
    everyMs: 60_000,
    log,
    turn: async () => !isAway && answering.turn(),
  });
  const news = listen({
    url: ownerUrl,
    channel: 'copydesk_work',
    applicationName: 'test-calls',
    log,
    onNews: loop.wake,
  });
  return {
    /** From now on nobody answers, or somebody again. */
    away(isNow: boolean): void {
      isAway = isNow;
      if (!isNow) loop.wake();
    },
    async close(): Promise<void> {
      await news.close();
      await loop.stop();
      await answering.settle();
    },
  };
}
