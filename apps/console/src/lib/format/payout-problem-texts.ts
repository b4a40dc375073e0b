import { shortId } from '@copydesk/domain/money';
import type { FreezeReason, HaltReason, PayoutProblem, SendRefusal } from '@copydesk/domain/payouts';
import { momentWords } from './read-time.ts';

/** Why a payout or a transfer does not go on, in plain words. */
const PROBLEMS: Record<PayoutProblem, string> = {
  declined: 'A super admin declined the distribution. Its shares are pending again.',
  cancelled: 'It was cancelled before it reached the chain.',
  sent_again: 'It was ordered again: another payout replaced it.',
  reverted: 'The transfer reverted on chain. Nothing was paid.',
  consolidation_reverted: 'Collecting from a deposit address reverted on chain. Nothing was paid.',
  nothing_moved: 'The transaction moved no tokens. Nothing was paid.',
  foreign_transaction: 'Another transaction took its place. Nothing was paid.',
  receipt_differs:
    'The receipt on chain differs from the transfer that was sent. Compare both before you continue.',
  not_backed: 'The worker found nothing that allows the transfer as it is. Nothing was signed.',
  refused_by_chain: 'The chain rejects the transfer. It is retried automatically.',
  server_failed: 'The server of the chain does not answer for this transfer. It is retried automatically.',
  waits_for_gas: 'The address has no BNB for the fee yet. It is funded automatically.',
  gas_wallet_empty: 'The wallet that pays for gas is empty. Send BNB to it.',
  wallet_not_of_seed: 'The worker does not hold the key of this wallet.',
  over_transaction_limit:
    'The amount exceeds the largest payout. Raise the limit, or cancel it and order it again with “Allow once”.',
  over_day_limit: 'The daily limit is reached. It is retried automatically.',
  over_hard_max:
    'The amount exceeds what the worker signs at all (PAYOUT_HARD_MAX on its machine). It is retried automatically.',
  gas_limit_reached:
    'The worker may order no more BNB for fees today (GAS_PER_DAY_WEI and GAS_TOPUP_MAX_WEI on its machine). It is retried automatically.',
};

/** Why a payout of an unapproved distribution stays pending. */
export const AWAITS_APPROVAL = 'Another super admin must approve the distribution. Nothing has been sent.';

/** A newer server may send reasons that this page does not know. */
export const problemWords = (problem: string) =>
  PROBLEMS[problem as PayoutProblem] ?? `Reason code: ${problem}.`;

/** Why a wallet is frozen, in words that need no knowledge of nonces. */
const FROZEN: Record<FreezeReason, string> = {
  chain_ahead:
    'The chain shows more transactions from this wallet than are known here: its seed is used elsewhere, or the database was restored or lost what it had stored last. Compare them in the block explorer first.',
  foreign_transaction: 'A transaction left this wallet that was not sent here.',
  receipt_differs: 'A receipt on chain differs from the transfer that was sent.',
  balance_short: 'The wallet holds less on chain than the ledger says.',
  nonce_missing: 'A transaction of this wallet is missing on chain.',
  nonce_gap: 'The chain expects an earlier transaction of this wallet that was never sent here.',
  cannot_be_booked: 'The ledger rejected the result of a transfer from this wallet.',
  wallet_not_of_seed: 'The worker’s seed does not control this address.',
  transfer_refused: 'The chain keeps refusing transfers from this address.',
  restored:
    'The database was restored from a backup. This wallet has sent transfers since, or was not compared yet.',
};

export const frozenWords = (because: string) => FROZEN[because as FreezeReason] ?? `Reason code: ${because}.`;

/** Why transfers wait for a stop of all payments, on every screen. */
const PAYMENTS_STOPPED = 'Payments are stopped. Nothing is sent until two super admins lift the stop.';

/** The reasons that stop all payouts. */
const HALTS: Record<HaltReason | 'no_worker' | 'payments_stopped', string> = {
  payments_stopped: PAYMENTS_STOPPED,
  chain_silent: 'The chain does not answer. Payouts continue when it does.',
  fees_too_high: 'Network fees are above the configured limit. Payouts continue when they fall.',
  turn_failed: 'The payout worker keeps failing. Check its log.',
  sends_refused: 'The servers of the chain take no transactions. Payouts continue when they do.',
  no_standby: 'Nothing is signed, because no second machine is known to keep it.',
  no_worker: 'No payout worker is running. Payouts continue when one is started.',
};

/** Why servers of the chain do not take a signed transfer, and what happens next. */
const REFUSED: Record<SendRefusal, string> = {
  fee_too_low: 'The servers of the chain ask for a higher fee. The transfer is signed again with it.',
  replacement_too_low: 'An earlier attempt is still in the queue of the chain. The next one offers more.',
  nonce_used: 'The chain has a transaction in its place. Its receipt decides.',
  nonce_ahead: 'The chain takes earlier transfers of this wallet first. It is sent again automatically.',
  no_coin: 'The servers of the chain see too little BNB for the fee. It is sent again automatically.',
  pool_full: 'The queue of the chain is full. It is sent again automatically.',
  rate_limited: 'The servers of the chain limit our requests. Add a server, or a larger plan of this one.',
  cost_capped: 'The servers of the chain cap the cost of a transfer. Use a server with a higher cap.',
  not_served: 'The servers of the chain take no transactions at present. Add another server.',
  not_valid: 'The servers of the chain call the transaction invalid. Check chain and servers.',
  unknown: 'The servers of the chain do not take the transfer. It is sent again automatically.',
};

/** The same for a code that a newer server may have added. */
export const refusedWords = (refusal: string) => REFUSED[refusal as SendRefusal] ?? REFUSED.unknown;

const REFUSED_CODE = 'refused_';

/**
 * When a payout that the daily limit holds up is paid, as the worker estimates; null: another problem, or no
 * estimate yet.
 */
export const payableWords = (problem: string, detail: string | null) =>
  problem === 'over_day_limit' && detail
    ? `The daily limit is reached. It will be paid on ${momentWords(detail)}, without further action.`
    : null;

/** Why a payout under way waits, and the remedy. Covers reasons of `waits_for` that no transfer has itself. */
export function waitWords({
  reason,
  detail,
  address,
}: {
  reason: string;
  detail: string | null;
  address: string;
}): string {
  if (reason === 'wallet_frozen')
    return `Wallet ${shortId(address)} is frozen. ${frozenWords(detail ?? 'unknown')} Unfreeze it on Transaction History.`;
  if (reason === 'gas_wallet_frozen')
    return `The wallet that pays for gas is frozen. ${frozenWords(detail ?? 'unknown')} Unfreeze it on Transaction History.`;
  if (reason === 'not_final') return 'The transfer was sent. The chain has not confirmed it yet.';
  if (reason === 'in_turn') return 'The transfer has not been sent yet. It is queued.';
  const day = payableWords(reason, detail);
  if (day) return day;
  const words =
    HALTS[reason as HaltReason] ??
    PROBLEMS[reason as PayoutProblem] ??
    (reason.startsWith(REFUSED_CODE)
      ? refusedWords(reason.slice(REFUSED_CODE.length))
      : problemWords(reason));
  return detail ? `${words} Message: “${detail}”.` : words;
}

/** A duration as displayed: `40 s`, `12 min`, `3 h`, `2 days`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
