import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { inSpan } from '../../../platform/observe/tracing.ts';
import { startWorkLoop, type WorkLoop } from '../../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { giveUpTurn, type ReadingDeps, readAccount } from './read-account.ts';
import { type ClaimedAccount, claimAccounts, renewLease } from './reading.store.ts';

/** Interval between checks for due accounts without a wake-up. */
const LOOK_EVERY_MS = 1_000;

/**
 * For exchanges with expensive calls, more accounts at once would wait for each other beyond the gateway's patience and
 * fail (with 24 of binance at once, half of them; with 12 of hyperliquid and two dexes besides its own, two thirds, and
 * with 3 none). The cost of a hyperliquid account grows with the number of dexes.
 */
const MOST_AT_ONCE: Partial<Record<Exchange, number>> = { binance: 6, hyperliquid: 2 };

/**
 * Reads the accounts of all exchanges while it runs, each exchange in its own loop, so a slow or failing one does not
 * delay the others. The gateway limits the rate; this loop limits only the number of accounts at once.
 * @returns a loop whose `wake` looks for due accounts now, and whose `stop` waits for the reads in progress
 */
export function startAccountReader(deps: ReadingDeps & { atOnce: number }): WorkLoop {
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

function startExchange(deps: ReadingDeps & { atOnce: number }, exchange: Exchange): WorkLoop {
  const { db, log, leaseMs } = deps;
  const atOnce = Math.min(deps.atOnce, MOST_AT_ONCE[exchange] ?? deps.atOnce);
  const underWay = new Set<Promise<void>>();

  /** A slow exchange may take longer than a lease; while this process runs, it keeps the account. */
  const renew = (account: ClaimedAccount) =>
    db
      .write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => renewLease(tx, account, leaseMs))
      .catch((error) => log.warn({ err: error, account: account.id }, 'renewing a lease failed'));

  const read = (account: ClaimedAccount) => {
    const renewing = setInterval(() => void renew(account), leaseMs / 3);
    const reading: Promise<void> = inSpan(`read ${exchange} account`, { kind: 'consumer' }, () =>
      readAccount(deps, account),
    )
      .catch(async (error) => {
        // When the database is unreachable, the lease expires and the account is due again.
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
        loop.wake();
      });
    underWay.add(reading);
  };

  const claim = async () => {
    const limit = atOnce - underWay.size;
    if (limit <= 0) return false;
    const claimed = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      claimAccounts(tx, { exchange, limit, leaseMs }),
    );
    for (const account of claimed) read(account);
    return claimed.length > 0 && underWay.size < atOnce;
  };
  const loop = startWorkLoop({ name: `reading ${exchange}`, everyMs: LOOK_EVERY_MS, turn: claim, log });

  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
