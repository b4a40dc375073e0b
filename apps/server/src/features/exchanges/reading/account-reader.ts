import { EXCHANGES, type Exchange } from '@copydesk/domain';
import { isDatabaseGone } from '../../../platform/db/connection.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { giveUpTurn, type ReadingDeps, readAccount } from './read-account.ts';
import { type ClaimedAccount, claimAccounts, renewLease } from './reading.store.ts';

/** Without a call to wake it, a reader looks for due accounts this often. */
const LOOK_EVERY_MS = 1_000;

/**
 * Where calls are heavy, more accounts at once only wait for each other: past the gateway's patience, which fails
 * them (with 24 of binance at once, half of them; with 12 of hyperliquid and two dexes besides its own, two thirds, and
 * with 3 none). An account of hyperliquid costs as much more as there are dexes.
 */
const MOST_AT_ONCE: Partial<Record<Exchange, number>> = { binance: 6, hyperliquid: 2 };

export interface AccountReader {
  /** Looks for due accounts now: somebody asked for one. */
  wake(): void;
  /** Claims no more, and waits for the reads under way. */
  stop(): Promise<void>;
}

/**
 * Reads the accounts of all exchanges for as long as it runs, each exchange by itself: one that is slow or down
 * holds up no other. How fast is the gateway's business; here is only how many wait for it at once.
 */
export function startAccountReader(deps: ReadingDeps & { atOnce: number }): AccountReader {
  const readers = EXCHANGES.map((exchange) => startExchange(deps, exchange));
  return {
    wake: () => {
      for (const reader of readers) reader.wake();
    },
    stop: async () => {
      await Promise.all(readers.map((reader) => reader.stop()));
    },
  };
}

function startExchange(deps: ReadingDeps & { atOnce: number }, exchange: Exchange): AccountReader {
  const { db, log, leaseMs } = deps;
  const atOnce = Math.min(deps.atOnce, MOST_AT_ONCE[exchange] ?? deps.atOnce);
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  let wake = () => {};

  /** A slow exchange may take longer than a lease; while this process lives, the account stays its own. */
  const renew = (account: ClaimedAccount) =>
    db
      .write({ kind: 'all' }, WORKER_ACTOR, (tx) => renewLease(tx, account, leaseMs))
      .catch((error) => log.warn({ err: error, account: account.id }, 'renewing a lease failed'));

  const read = (account: ClaimedAccount) => {
    const renewing = setInterval(() => void renew(account), leaseMs / 3);
    const reading: Promise<void> = readAccount(deps, account)
      .catch(async (error) => {
        // With the database out of reach it is left to its lease: it is due again when that ends.
        const isGone = isDatabaseGone(error);
        log[isGone ? 'warn' : 'error'](
          { err: error, account: account.id, exchange },
          'reading an account failed',
        );
        if (!isGone) await giveUpTurn(deps, account);
      })
      .catch((error) => log.warn({ err: error, account: account.id, exchange }, 'ending a turn failed'))
      .finally(() => {
        clearInterval(renewing);
        underWay.delete(reading);
        wake();
      });
    underWay.add(reading);
  };

  async function claim(): Promise<number> {
    const limit = atOnce - underWay.size;
    if (limit <= 0) return 0;
    const claimed = await db.write({ kind: 'all' }, WORKER_ACTOR, (tx) =>
      claimAccounts(tx, { exchange, limit, leaseMs }),
    );
    for (const account of claimed) read(account);
    return claimed.length;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const claimed = await claim().catch((error) => {
        log.warn({ err: error, exchange }, 'claiming accounts failed');
        return 0;
      });
      if (claimed > 0 && underWay.size < atOnce) continue;
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LOOK_EVERY_MS);
      });
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  }
  const running = run();

  return {
    wake: () => wake(),
    async stop() {
      isStopped = true;
      wake();
      await running;
      await Promise.all(underWay);
    },
  };
}
