import type { PayoutProblem } from '@copydesk/domain';

const BRIEFLY: Record<PayoutProblem, string> = {
  declined: 'Declined',
  cancelled: 'Cancelled',
  sent_again: 'Replaced',
  reverted: 'Reverted',
  consolidation_reverted: 'Collecting reverted',
  nothing_moved: 'Nothing moved',
  foreign_transaction: 'Replaced',
  receipt_differs: 'Receipt differs',
  not_backed: 'Not backed',
  refused_by_chain: 'Refused by the chain',
  server_failed: 'No answer',
  waits_for_gas: 'No gas',
  gas_wallet_empty: 'No gas',
  wallet_not_of_seed: 'Unknown wallet',
  over_transaction_limit: 'Over the limit',
  over_day_limit: 'Over the day limit',
  over_hard_max: 'Over the hard maximum',
  gas_limit_reached: 'Limit of gas',
};

/** Why a payout failed, in a few words for the list. */
export const failedBriefly = (problem: string | null) =>
  problem === null ? 'Reason unknown' : (BRIEFLY[problem as PayoutProblem] ?? problem.replaceAll('_', ' '));
