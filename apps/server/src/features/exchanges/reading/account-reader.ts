import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { inSpan } from '../../../platform/observe/tracing.ts';
import { startDueLoop } from '../../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../../platform/work/work-loop.ts';
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
  return startDueLoop<ClaimedAccount>({
    name: `reading ${exchange}`,
    everyMs: LOOK_EVERY_MS,
    log,
    async claim(underWay) {
      const limit = atOnce - underWay;
      if (limit <= 0) return { rows: [] };
      const rows = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
        claimAccounts(tx, { exchange, limit, leaseMs }),
      );
      return { rows, goesOn: rows.length > 0 && rows.length < limit };
    },
    work: (account) =>
      inSpan(`read ${exchange} account`, { kind: 'consumer' }, () => readAccount(deps, account)).catch(
        async (error) => {
          // When the database is unreachable, the lease expires and the account is due again.
          if (isDatabaseGone(error)) throw error;
          log.error({ err: error, account: account.id, exchange }, 'reading an account failed');
          await giveUpTurn(deps, account);
        },
      ),
    // A slow exchange may take longer than a lease; while this process runs, it keeps the account.
    keep: {
      everyMs: leaseMs / 3,
      renew: (account) => db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => renewLease(tx, account, leaseMs)),
    },
    describe: ({ id }) => ({ account: id, exchange }),
  });
}
