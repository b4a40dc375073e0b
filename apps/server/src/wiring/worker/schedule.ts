import type { Config } from '../../config.ts';
import { reconcileLedger } from '../../core/ledger/ledger.jobs.ts';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import { type MailDeps, mailAttention } from '../../features/attention/mail/attention-mail.job.ts';
import { pruneMarks } from '../../features/attention/marks.store.ts';
import { prunePersonMessages } from '../../features/attention/telegram/person-messages.store.ts';
import { readAuditWords } from '../../features/audit/audit-words.store.ts';
import { compareSubscriptions } from '../../features/billing/compare-subscriptions.job.ts';
import { endArchivedSubscriptions } from '../../features/billing/end-archived.job.ts';
import { type ReminderDeps, remindOfSubscriptions } from '../../features/billing/reminders.job.ts';
import { pruneHandledUpdates } from '../../features/bots/exchange-bot/answering/advance-update.store.ts';
import { pruneBotMessages } from '../../features/bots/exchange-bot/answering/bot-messages.store.ts';
import { expireSales } from '../../features/bots/exchange-bot/sales/cancel-sales.ts';
import { pruneBulkActs } from '../../features/bulk/bulk-work.store.ts';
import { sumCommunityDays } from '../../features/communities/figures/community-days.store.ts';
import { checkAddresses } from '../../features/deposits/derived-addresses.ts';
import { readAgain } from '../../features/deposits/watch/read-again.job.ts';
import { pruneOtherTokens } from '../../features/deposits/watch/record-other-tokens.ts';
import { pruneReveals } from '../../features/exchanges/credentials/reveals.store.ts';
import { pruneSnapshots, snapshotEquity } from '../../features/exchanges/reading/snapshots.store.ts';
import { pruneExports } from '../../features/exports/export-work.store.ts';
import { beginInvoicing, discardDrafts } from '../../features/invoices/runs/invoicing.jobs.ts';
import { pruneMessages } from '../../features/messages/prune-messages.store.ts';
import { remindOfInvoices } from '../../features/messages/reminders.jobs.ts';
import { noteFigures } from '../../features/overview/figure-days.store.ts';
import { compareHostedUsers } from '../../features/people/hosted/compare-users.job.ts';
import { pruneIdentity } from '../../features/people/prune.ts';
import {
  reconcileWallets,
  type WalletReconciliation,
} from '../../features/transfers/reconciliation/reconcile-wallets.ts';
import type { BillingGateway } from '../../integrations/billing/gateway.ts';
import { pruneAttempts } from '../../platform/audit/security-log/refused-attempts.store.ts';
import { requestVerification } from '../../platform/audit/verifications.store.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { keepPartitions } from '../../platform/db/partitions.ts';
import { purgeChanges } from '../../platform/http/events/purge.store.ts';
import { purgeIdempotentCalls } from '../../platform/http/idempotency/idempotent-calls.store.ts';
import type { HostedDirectory } from '../../platform/identity/hosted/hosted-directory.ts';
import { recordCheck } from '../../platform/observe/check-results.store.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { forgetSilentWorkers } from '../../platform/work/heartbeat.store.ts';
import { pruneMails } from '../../platform/work/mail/mailer.ts';
import { retireQueues, type ScheduledJob } from '../../platform/work/scheduled-jobs.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import type { ChainReading } from '../chain-reading.ts';
import { attentionSources } from '../lists/attention-sources.ts';
import { FIGURE_SOURCES } from '../lists/figure-sources.ts';

/** Addresses that move every time, the others once a day. */
async function reconcileMovingAndDue({
  reading,
  ...deps
}: WalletReconciliation & { reading: ChainReading }): Promise<number> {
  const both = { ...deps, missed: reading };
  return (await reconcileWallets(both, 'moving')) + (await reconcileWallets(both, 'due'));
}

/** Every recurring job, on one page. */
export function createSchedule(deps: {
  db: Database;
  log: Logger;
  now: () => Date;
  settings: LiveSettings;
  invoicingCron: string;
  retention: Config['retention'];
  /** Null: no chain is configured. */
  payouts: (Omit<WalletReconciliation, 'db' | 'log' | 'now' | 'missed'> & { reading: ChainReading }) | null;
  /** Null: no payment service is configured. */
  subscriptions: (Omit<ReminderDeps, 'db' | 'now'> & { billing: BillingGateway }) | null;
  attention: Pick<MailDeps, 'keyring' | 'hasMailer' | 'origin'>;
  /** Null: people sign in with accounts of ours. */
  directory: HostedDirectory | null;
}): ScheduledJob[] {
  const { db, log, now, settings, invoicingCron, retention, payouts, subscriptions, attention, directory } =
    deps;
  const reconcile = async (reach: 'recent' | 'all') =>
    recordCheck(db, `ledger_${reach}`, await reconcileLedger({ db, log, now }, reach));
  const jobs: ScheduledJob[] = [
    {
      name: 'retire-queues',
      cron: '*/10 * * * *',
      run: () =>
        retireQueues(
          db,
          jobs.map(({ name }) => name),
        ),
    },
    { name: 'purge-changes', cron: '17 * * * *', run: () => purgeChanges(db, retention.changesHours) },
    { name: 'prune-identity', cron: '27 * * * *', run: () => pruneIdentity({ db, now }) },
    { name: 'purge-idempotent-calls', cron: '37 * * * *', run: () => purgeIdempotentCalls(db, now) },
    { name: 'prune-other-tokens', cron: '31 * * * *', run: () => pruneOtherTokens({ db, now }) },
    { name: 'prune-mails', cron: '33 * * * *', run: () => pruneMails({ db, now }) },
    { name: 'prune-reveals', cron: '37 * * * *', run: () => pruneReveals({ db, now }) },
    {
      name: 'mail-attention',
      cron: '* * * * *',
      run: async () => {
        await settings.refresh();
        await mailAttention({
          db,
          log,
          now,
          sources: attentionSources(null),
          rules: settings.rules,
          ...attention,
        });
      },
    },
    { name: 'prune-attention-marks', cron: '46 * * * *', run: () => pruneMarks({ db, now }) },
    { name: 'prune-bulk-acts', cron: '44 * * * *', run: () => pruneBulkActs({ db, now }) },
    { name: 'prune-exports', cron: '42 * * * *', run: () => pruneExports({ db, now }) },
    { name: 'read-audit-words', cron: '* * * * *', run: () => readAuditWords(db) },
    { name: 'prune-security-log', cron: '47 * * * *', run: () => pruneAttempts(db, retention.refusalsDays) },
    {
      name: 'begin-invoicing',
      cron: invoicingCron,
      run: async () => {
        await settings.refresh();
        return beginInvoicing(db, { isDraft: settings.current().scheduled_invoicing === 'draft' });
      },
    },
    { name: 'discard-invoicing-drafts', cron: '38 * * * *', run: () => discardDrafts({ db, now }) },
    { name: 'snapshot-equity', cron: '55 * * * *', run: () => snapshotEquity(db) },
    { name: 'sum-community-days', cron: '58 * * * *', run: () => sumCommunityDays(db) },
    { name: 'note-figures', cron: '59 * * * *', run: () => noteFigures(db, FIGURE_SOURCES) },
    { name: 'forget-silent-workers', cron: '*/10 * * * *', run: () => forgetSilentWorkers(db) },
    { name: 'remind-of-invoices', cron: '*/10 * * * *', run: () => remindOfInvoices({ db, now }) },
    { name: 'expire-bot-orders', cron: '* * * * *', run: () => expireSales({ db, now }) },
    {
      name: 'prune-bot-messages',
      cron: '50 4 * * *',
      run: () => pruneBotMessages({ db, now }, retention.botMessagesDays),
    },
    {
      name: 'prune-messages',
      cron: '53 4 * * *',
      run: () => pruneMessages({ db, now }, retention.messagesDays),
    },
    {
      name: 'prune-person-messages',
      cron: '52 4 * * *',
      run: () => prunePersonMessages({ db, now }, retention.botMessagesDays),
    },
    { name: 'keep-partitions', cron: '40 3 * * *', run: () => keepPartitions(db) },
    {
      name: 'prune-readings',
      cron: '56 4 * * *',
      run: () =>
        pruneSnapshots({ db, now }, { keptDays: retention.readingsDays, keepsTables: retention.keepsTables }),
    },
    { name: 'prune-bot-updates', cron: '55 4 * * *', run: () => pruneHandledUpdates({ db, now }) },
    { name: 'reconcile-ledger', cron: '*/5 * * * *', run: () => reconcile('recent') },
    {
      name: 'check-deposit-addresses',
      cron: '7 * * * *',
      run: async () => recordCheck(db, 'deposit_addresses', await checkAddresses({ db, log })),
    },
    {
      name: 'reconcile-wallets',
      cron: '*/5 * * * *',
      run: async () =>
        payouts && recordCheck(db, 'wallets', await reconcileMovingAndDue({ db, log, now, ...payouts })),
    },
    {
      // At night, because it reads a day's blocks; a broken run goes on where it ended.
      name: 'read-chain-again',
      cron: '25 2 * * *',
      run: async () => payouts && readAgain({ db, log, now, ...payouts.reading }),
    },
    {
      name: 'remind-of-subscriptions',
      cron: '*/10 * * * *',
      run: async () => subscriptions && remindOfSubscriptions({ db, now, ...subscriptions }),
    },
    {
      name: 'end-archived-subscriptions',
      cron: '5-59/10 * * * *',
      run: async () => subscriptions && endArchivedSubscriptions({ db, log, now, ...subscriptions }),
    },
    {
      name: 'compare-subscriptions',
      cron: '20 4 * * *',
      run: async () => subscriptions && compareSubscriptions({ db, log, now, ...subscriptions }),
    },
    {
      // Every six hours a comparison begins; runs in between continue one that was broken off.
      name: 'compare-hosted-users',
      cron: '3-59/10 * * * *',
      run: async () => directory && compareHostedUsers({ db, directory, log, now }),
    },
    {
      name: 'reconcile-ledger-fully',
      cron: '10 3 * * *',
      run: () => reconcile('all'),
    },
    {
      name: 'verify-audit',
      cron: '40 3 * * *',
      run: () => db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => requestVerification(tx, 'Nightly check')),
    },
  ];
  return jobs;
}
