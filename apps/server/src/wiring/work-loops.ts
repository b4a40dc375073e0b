import type { Config } from '../config.ts';
import { takeInvoicingTurn } from '../features/invoices/runs/invoicing-turn.ts';
import { startMessageSender } from '../features/messages/message-sender.ts';
import { createTelegram } from '../integrations/telegram/create-telegram.ts';
import type { Database } from '../platform/db/database.ts';
import { listen } from '../platform/db/listen.ts';
import { startWorkLoop, type WorkLoop } from '../platform/jobs/work-loop.ts';
import type { Logger } from '../platform/log/log.ts';
import { startChainWatchLoop } from './chain-watch-loop.ts';
import { findConfirmedAddresses } from './deposit-key.ts';
import { startTransferLoop } from './transfer-loop.ts';

/** Without a call to wake it, a loop looks for work this often. */
const LOOK_EVERY_MS = 10_000;
/** An invoicing run whose worker died goes on elsewhere after this long; a batch takes a second or two. */
const RUN_LEASE_MS = 60_000;

/** Work that lies in tables until a worker does it, as long as it runs. */
export function startLoops({
  config,
  databaseUrl,
  db,
  log,
  seed,
}: {
  config: Config;
  databaseUrl: string;
  db: Database;
  log: Logger;
  /** What wallets are derived from; null: nothing is paid out by this worker. */
  seed: Uint8Array | null;
}): { stop(): Promise<void> } {
  const { depositAccountKey, telegram } = config;
  if (!depositAccountKey)
    log.warn('no DEPOSIT_ACCOUNT_KEY: traders without a deposit address are not invoiced');
  const invoicing = { db, log, now: () => new Date(), leaseMs: RUN_LEASE_MS };

  /** By the table whose new rows wake them. */
  const loops: Record<string, WorkLoop> = {
    invoicing_run: startWorkLoop({
      name: 'invoicing',
      everyMs: LOOK_EVERY_MS,
      log,
      turn: async (stopped) => {
        const addresses = await findConfirmedAddresses({ db, accountKey: depositAccountKey });
        return takeInvoicingTurn({ ...invoicing, addresses }, stopped);
      },
    }),
    message: startMessageSender({
      db,
      telegram: createTelegram(telegram),
      perSecond: telegram.perSecond,
      log,
      now: Date.now,
    }),
  };
  if (config.chain.rpcUrls.length > 0) {
    loops.deposit = startChainWatchLoop({ config, db, log });
    if (seed) loops.transfer = startTransferLoop({ config, seed, db, log });
    else log.warn('no WALLET_SEED: nothing is paid out by this worker');
  }
  const work = listen({
    url: databaseUrl,
    channel: 'copydesk_work',
    applicationName: 'copydesk-work',
    log,
    onNews: (table) => {
      for (const [name, loop] of Object.entries(loops))
        if (table === undefined || table === name) loop.wake();
    },
  });

  return {
    async stop() {
      await work.close();
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
    },
  };
}
