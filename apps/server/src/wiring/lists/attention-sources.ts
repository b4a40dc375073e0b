import type { AttentionSources } from '../../core/attention/attention-source.ts';
import { manyRefusals } from '../../features/audit/attention.views.ts';
import { unpaidSubscriptions } from '../../features/billing/attention.views.ts';
import { failingBots } from '../../features/bots/attention.views.ts';
import { stoppedReading } from '../../features/deposits/attention.views.ts';
import { expiringKeys, failingKeys, unreadAccounts } from '../../features/exchanges/attention.views.ts';
import {
  draftedInvoices,
  failedChecks,
  overdueInvoices,
  unmatchedPayments,
} from '../../features/invoices/attention.views.ts';
import { failedMessages, unreachedOwners } from '../../features/messages/attention.views.ts';
import { ownMentions } from '../../features/notes/attention.views.ts';
import { failingWork, leftOfSetup } from '../../features/operations/attention.views.ts';
import type { SetupCheck } from '../../features/operations/setup-check.ts';
import {
  disownedAddresses,
  failedPayouts,
  stuckPayouts,
  waitingAddresses,
  waitingDistributions,
} from '../../features/payouts/attention.views.ts';
import { waitingPeople, waitingSuperAdmins } from '../../features/people/attention.views.ts';
import {
  nearBreakers,
  openArrivals,
  tradedOnPools,
  waitingHarvests,
} from '../../features/pools/attention.views.ts';
import { waitingSettings } from '../../features/settings/attention.views.ts';
import { suggestedTraders } from '../../features/traders/attention.views.ts';
import {
  frozenWallets,
  lowGas,
  stoppedPayments,
  waitingOrders,
} from '../../features/transfers/attention.views.ts';

/**
 * Where each kind of item that needs attention comes from.
 * @param setup null: a worker, which does not know how the API is set up
 */
export const attentionSources = (setup: Pick<SetupCheck, 'check'> | null): AttentionSources => ({
  payments_stopped: stoppedPayments,
  wallet_frozen: frozenWallets,
  payouts_failed: failedPayouts,
  payouts_stuck: stuckPayouts,
  gas_low: lowGas,
  distribution_waiting: waitingDistributions,
  order_waiting: waitingOrders,
  address_disowned: disownedAddresses,
  address_waiting: waitingAddresses,
  setting_waiting: waitingSettings,
  super_admin_waiting: waitingSuperAdmins,
  pool_traded_on: tradedOnPools,
  harvest_waiting: waitingHarvests,
  arrival_open: openArrivals,
  pool_near_breaker: nearBreakers,
  key_failing: failingKeys,
  key_expiring: expiringKeys,
  accounts_unread: unreadAccounts,
  message_failed: failedMessages,
  owner_unreached: unreachedOwners,
  bot_failing: failingBots,
  note_mention: ownMentions,
  payment_unmatched: unmatchedPayments,
  invoices_drafted: draftedInvoices,
  invoices_overdue: overdueInvoices,
  delinquent_suggested: suggestedTraders,
  access_waiting: waitingPeople,
  refusals_many: manyRefusals,
  chain_stopped: stoppedReading,
  check_failed: failedChecks,
  work_failing: failingWork,
  setup_left: leftOfSetup(setup),
  subscription_unpaid: unpaidSubscriptions,
});
