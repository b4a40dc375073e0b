import type { Config } from '../../config.ts';
import { readExternalBalances } from '../../features/communities/external-balances/read-external-balances.ts';
import { recordIncoming } from '../../features/deposits/incoming-transfers.ts';
import { recordOtherTokens } from '../../features/deposits/watch/record-other-tokens.ts';
import { searchAllAddresses } from '../../features/deposits/watch/search-all-addresses.ts';
import { watchChain } from '../../features/deposits/watch/watch-chain.ts';
import { takeOpeningTurn } from '../../features/invoices/books/openings/opening-turn.ts';
import { createChainSender } from '../../integrations/chain/chain-sender.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts';
import { createChainReading } from '../chain-reading.ts';

/** About as often as a block of BNB Smart Chain becomes final. */
const LOOK_EVERY_MS = 2_000;
/** A new external address gets its balance within this time; fresh balances are not read again. */
const BALANCES_EVERY_MS = 30_000;
/** Other tokens are only listed. */
const OTHERS_EVERY_MS = 60_000;
const ALL_EVERY_MS = 10_000;
/** Checks with a wrong chain before the log reports it. */
const PATIENCE = 15;

/** Watches the chain while it runs, after chain and token have matched the configuration. */
export function startChainWatchLoop({
  config,
  db,
  log,
}: {
  config: Config;
  db: Database;
  log: Logger;
}): WorkLoop {
  const reading = createChainReading(config, log);
  const { chain } = reading;
  const watch = { db, log, ...reading };
  const { tokenBalances } = createChainSender(config.chain);
  const opening = { db, token: watch.token, tokenBalances };
  const external = { ...watch, now: () => new Date(), finalizedBlock: chain.finalizedBlock, tokenBalances };
  let balancesAt = 0;
  let othersAt = 0;
  let allAt = 0;
  let isChecked = false;
  let failures = 0;
  /** Chain and worker start together, and the chain may be slower; a lasting problem is logged once. */
  const check = async () => {
    try {
      await chain.check();
      isChecked = true;
    } catch (error) {
      failures += 1;
      if (failures === PATIENCE)
        log.error({ err: error }, 'no deposit is read: chain or token differ from the configuration');
    }
  };
  return startWorkLoop({
    name: 'chain watch',
    everyMs: LOOK_EVERY_MS,
    log,
    async turn() {
      if (!isChecked) await check();
      if (!isChecked) return false;
      const hasMore = await watchChain(watch);
      // Incoming transfers that are not final only delay what people and jobs end, so a failure does not stop
      // the watch.
      if (!hasMore)
        await recordIncoming(watch).catch((error) =>
          log.warn({ err: error }, 'transfers that are not final were not read'),
        );
      if (Date.now() - othersAt > OTHERS_EVERY_MS) {
        // Also where a server refuses to search without a token: it is asked again later.
        othersAt = Date.now();
        await recordOtherTokens({ ...watch, now: () => new Date() }).catch((error) =>
          log.warn({ err: error }, 'other tokens were not read'),
        );
      }
      if (Date.now() - allAt > ALL_EVERY_MS) {
        allAt = Date.now();
        const isBehind = await searchAllAddresses({ ...watch, now: () => new Date() }).catch((error) =>
          log.warn({ err: error }, 'other tokens were not read at all addresses'),
        );
        if (isBehind) allAt = 0;
      }
      const opensMore = await takeOpeningTurn(opening);
      if (Date.now() - balancesAt > BALANCES_EVERY_MS) {
        balancesAt = Date.now();
        // For display only: no deposit waits for it.
        await readExternalBalances(external).catch((error) =>
          log.warn({ err: error }, 'balances of external wallets were not read'),
        );
      }
      return opensMore || hasMore;
    },
  });
}
