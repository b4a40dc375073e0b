import type { Config } from '../../config.ts';
import { createBotPace } from '../../core/outbox/bot-pace.ts';
import { createLiveSettings } from '../../core/settings/live-settings.ts';
import { takeAddressTurn } from '../../core/transfers/addresses/address-readings.ts';
import { hearPerson } from '../../features/attention/telegram/hear-person.ts';
import { startPersonMessageSender } from '../../features/attention/telegram/person-message-sender.ts';
import { handOverMail } from '../../features/billing/reminders.job.ts';
import { startAnsweringBots } from '../../features/bots/exchange-bot/answering/answer-bots.ts';
import { createPlatformBot } from '../../features/bots/platform-bot/platform-bot-loop.ts';
import { startBulkWorker } from '../../features/bulk/bulk-worker.ts';
import { deriveAddresses } from '../../features/deposits/derived-addresses.ts';
import { startExportWorker } from '../../features/exports/export-worker.ts';
import { applyOpenPayments } from '../../features/invoices/payments/payments.service.ts';
import { takeInvoicingTurn } from '../../features/invoices/runs/invoicing-turn.ts';
import { startMessageSender } from '../../features/messages/message-sender.ts';
import type { PoolKeyOpener } from '../../features/pools/keys/pool-key-opener.ts';
import { liftConfirmed } from '../../features/transfers/stops/stops.service.ts';
import { createAddressReader } from '../../integrations/chain/address-reader.ts';
import { createWalletKeys } from '../../integrations/chain/wallet-keys.ts';
import type { CountingGateway } from '../../integrations/exchanges/create-gateway.ts';
import { createOpenBot } from '../../integrations/telegram/create-bot-client.ts';
import { createTelegram } from '../../integrations/telegram/create-telegram.ts';
import { createReadBot } from '../../integrations/telegram/read-bot.ts';
import type { AuditKeys } from '../../platform/audit/entry-hashes.ts';
import { takeSealingTurn } from '../../platform/audit/seal.ts';
import { takeVerificationTurn } from '../../platform/audit/verify-turn.ts';
import { listen } from '../../platform/db/connection/listen.ts';
import type { Database } from '../../platform/db/database.ts';
import { originsOf } from '../../platform/identity/origins.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { takeMailTurn } from '../../platform/work/mail/mailer.ts';
import type { SendMail } from '../../platform/work/mail/smtp.ts';
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts';
import { findConfirmedAddresses } from '../deposit-key.ts';
import { BULK_PARTS } from '../lists/bulk-parts.ts';
import { EXPORTED_LISTS } from '../lists/exported-lists.ts';
import { startChainWatchLoop } from './chain-watch-loop.ts';
import { startPoolLoops } from './pool-loops.ts';
import { startReadingLoop } from './reading-loop.ts';
import { startTransferLoop } from './transfer-loop.ts';

/** Interval between checks for work without a wake-up. */
const LOOK_EVERY_MS = 10_000;
/** Derives addresses for 100,000 existing traders within a quarter of an hour. */
const DERIVE_EVERY_MS = 1_000;
/** A mail that was not taken is tried again after five seconds at the earliest. */
const LOOK_AT_MAILS_EVERY_MS = 5_000;
/** Entries of the audit are sealed within a second, whichever worker is alive. */
const SEAL_EVERY_MS = 300;
/** A requested check of the audit starts within this time. */
const LOOK_AT_CHECKS_EVERY_MS = 3_000;
/** After this time another worker continues long work whose worker died. */
const KEPT_LEASE_MS = 20_000;
/** Interval at which progress is written for screens. */
const KEEP_EVERY_MS = 1_000;
/** After this long another worker takes over an invoicing run; a batch takes a second or two. */
const RUN_LEASE_MS = 60_000;
/** Answers of Telegram take tenths of a second: this many in progress reach 25 a second. */
const SENT_AT_ONCE = 16;
/** How long Telegram holds a request for updates open. */
const BOT_POLL_SECONDS = 25;
/** Orders of a bot share by settings of at most this age. */
const TERMS_AGE_MS = 1_000;

/** Runs the loops for work queued in tables. */
export function startLoops({
  config,
  directUrl,
  db,
  auditKeys,
  log,
  seed,
  sendMail,
  keyring,
  gateway,
  poolKeys,
  queues,
}: {
  config: Config;
  directUrl: string;
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
  /** The seed of the wallets; null: this worker pays nothing out. */
  seed: Uint8Array | null;
  /** Null: no e-mail is sent. */
  sendMail: SendMail | null;
  keyring: Keyring;
  gateway: CountingGateway;
  poolKeys: PoolKeyOpener;
  /** Queues of jobs, which are woken with the loops. */
  queues: Readonly<Record<string, Pick<WorkLoop, 'wake'>>>;
}): { stop(): Promise<void> } {
  const { depositAccountKey, telegram } = config;
  if (!depositAccountKey)
    log.warn('no DEPOSIT_ACCOUNT_KEY: traders without a deposit address are not invoiced');
  const settings = createLiveSettings({ db, base: config.settings });
  const now = () => new Date();
  const invoicing = { db, log, now, leaseMs: RUN_LEASE_MS, settings };

  const sending = {
    db,
    telegram: createTelegram(telegram),
    pace: createBotPace({ perSecond: telegram.perSecond, atOnce: SENT_AT_ONCE, now: Date.now }),
    log,
    now: Date.now,
  };
  const hearing = {
    keyring: sendMail && keyring,
    origin: originsOf(config.publicUrl, config.port).main,
    now,
  };
  const openBot = createOpenBot({ ...telegram, pollSeconds: BOT_POLL_SECONDS });
  const bot = createPlatformBot({
    db,
    token: telegram.token ?? null,
    openBot,
    readBot: createReadBot(telegram),
    hearOther: (update, botTelegramId) => hearPerson(hearing, update, botTelegramId),
    log,
    now: Date.now,
  });
  const platformBot = startWorkLoop({
    name: 'platform-bot',
    everyMs: LOOK_EVERY_MS,
    log,
    turn: bot.turn,
  });

  /** By the table of its work: new rows wake the loop, where a trigger of the table announces them. */
  const loops: Record<string, WorkLoop> = {
    invoicing_run: startWorkLoop({
      name: 'invoicing',
      everyMs: LOOK_EVERY_MS,
      log,
      turn: async (stopped) => {
        await settings.refresh();
        const addresses = await findConfirmedAddresses({ db, accountKey: depositAccountKey });
        return takeInvoicingTurn({ ...invoicing, addresses }, stopped);
      },
    }),
    message: startMessageSender(sending),
    person_message: startPersonMessageSender(sending),
    exchange_bot: startAnsweringBots({
      db,
      keyring,
      openBot,
      readTerms: async () => {
        await settings.refresh(TERMS_AGE_MS);
        return {
          platformWeights: settings.current().platform_weights,
          communityPercentage: settings.current().bot_community_percentage,
        };
      },
      applyOpenPayments,
      perSecond: telegram.perBotPerSecond,
      log,
      now,
    }),
    transfer_stop_lift: startWorkLoop({
      name: 'stops of payments',
      everyMs: LOOK_EVERY_MS,
      log,
      turn: async () => {
        await settings.refresh();
        return liftConfirmed({ db, log, rules: settings.rules, now });
      },
    }),
    platform_bot: {
      wake: platformBot.wake,
      async stop() {
        await platformBot.stop();
        await bot.stop();
      },
    },
    account_reading: startReadingLoop({ config, directUrl, db, log, keyring, gateway }),
    audit_unsealed: startWorkLoop({
      name: 'audit seals',
      everyMs: SEAL_EVERY_MS,
      log,
      turn: () => takeSealingTurn({ db, auditKeys, log }),
    }),
    audit_verification: startWorkLoop({
      name: 'audit checks',
      everyMs: LOOK_AT_CHECKS_EVERY_MS,
      log,
      turn: () => takeVerificationTurn({ db, auditKeys, log }),
    }),
    export: startExportWorker({
      db,
      stream: { url: directUrl },
      lists: EXPORTED_LISTS,
      log,
      now,
      everyMs: LOOK_EVERY_MS,
      leaseMs: KEPT_LEASE_MS,
      keepMs: KEEP_EVERY_MS,
    }),
    bulk_act: startBulkWorker({
      db,
      parts: BULK_PARTS,
      log,
      everyMs: LOOK_EVERY_MS,
      leaseMs: KEPT_LEASE_MS,
      keepMs: KEEP_EVERY_MS,
    }),
    ...startPoolLoops({ config, db, log, keyring, settings, poolKeys, venue: gateway.pools }),
  };
  if (sendMail) {
    loops.billing_mail = startWorkLoop({
      name: 'billing e-mails',
      everyMs: LOOK_EVERY_MS,
      log,
      turn: () => handOverMail({ db, keyring, now }),
    });
    loops.mail = startWorkLoop({
      name: 'mails',
      everyMs: LOOK_AT_MAILS_EVERY_MS,
      log,
      turn: () => takeMailTurn({ db, keyring, send: sendMail, log, now }),
    });
  }
  if (config.chain.rpcUrls.length > 0) {
    loops.deposit = startChainWatchLoop({ config, db, log });
    const read = createAddressReader(config.chain);
    loops.payout_address_change = startWorkLoop({
      name: 'entered addresses',
      everyMs: LOOK_EVERY_MS,
      log,
      turn: () => takeAddressTurn({ db, chainId: config.chain.chainId, read, now }),
    });
    if (seed) loops.transfer = startTransferLoop({ config, settings, seed, db, auditKeys, log });
    else log.warn('no WALLET_SEED: this worker pays nothing out');
  }
  if (seed) {
    const keys = createWalletKeys(seed);
    loops.deposit_address = startWorkLoop({
      name: 'addresses of traders',
      everyMs: DERIVE_EVERY_MS,
      log,
      // The next turn waits, so that signing goes on between them.
      turn: async () => {
        await deriveAddresses({ db, keys });
        return false;
      },
    });
  }
  const work = listen({
    url: directUrl,
    channel: 'copydesk_work',
    applicationName: 'copydesk-work',
    log,
    onNews: (table) => {
      for (const [name, one] of Object.entries({ ...loops, ...queues }))
        if (table === undefined || table === name) one.wake();
    },
  });

  return {
    async stop() {
      await work.close();
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
    },
  };
}
