import type { CycleAction } from '@copydesk/contract/pools';
import type { HarvestRefusal, Resolution } from '@copydesk/domain/pools';

interface ActWords {
  label: string;
  busy: string;
  title: string;
  text: string;
  /** What the server has done when it answers: the rest follows in the background. */
  done: string;
}

/** The acts on a harvest cycle. */
export const ACTS: Record<CycleAction, ActWords> = {
  start: {
    label: 'Start harvest',
    busy: 'Starting...',
    title: 'Start harvest',
    text: 'Trading is paused, and the owner is asked to withdraw everything from Bybit. Then the result is shared, fees are charged, and the pool opens.',
    done: 'Harvest starting',
  },
  stop: {
    label: 'Stop harvest',
    busy: 'Stopping...',
    title: 'Stop harvest',
    text: 'Deposits and withdrawals are paused, the funds of the proxy wallet go to Bybit, and trading resumes. Virtual balances stay as they are.',
    done: 'Harvest stopping',
  },
  close_gate: {
    label: 'Close gate',
    busy: 'Closing...',
    title: 'Close gate',
    text: 'No new deposit or withdrawal begins. Those under way are completed. It cannot be opened again before the next harvest.',
    done: 'Gate closed',
  },
  abort: {
    label: 'Abort',
    busy: 'Aborting...',
    title: 'Abort harvest',
    text: 'The pool goes back to trading without a harvest. This is possible only while nothing has left Bybit.',
    done: 'Harvest aborted',
  },
  retry: {
    label: 'Retry',
    busy: 'Retrying...',
    title: 'Retry failed step',
    text: 'The failed step is done again. Nothing is sent twice.',
    done: 'Step retried',
  },
  confirm_paused: {
    label: 'Trading is paused',
    busy: 'Confirming...',
    title: 'Confirm that trading is paused',
    text: 'Check at Bybit first: no bot trades the account, all orders are cancelled, all positions are closed. The system checks the account again.',
    done: 'Pause confirmed',
  },
  confirm_resumed: {
    label: 'Trading has resumed',
    busy: 'Confirming...',
    title: 'Confirm that trading has resumed',
    text: 'Confirm it once the account is traded again.',
    done: 'Resumed trading confirmed',
  },
  approve: {
    label: 'Approve valuation',
    busy: 'Approving...',
    title: 'Approve valuation',
    text: 'The result is booked as shown. It cannot be changed afterwards.',
    done: 'Valuation approved',
  },
  remind_owner: {
    label: 'Remind owner',
    busy: 'Reminding...',
    title: 'Remind owner',
    text: 'The bot writes this to the owner now:',
    done: 'Reminder queued',
  },
};

/** Why an act, or the next step, is not possible now. */
const WAITS: Record<HarvestRefusal, string> = {
  open_positions_exist: 'Positions or orders are open on Bybit.',
  uninvoiced_positions: 'Closed positions are still being read.',
  pending_operations: 'Deposits, withdrawals or the fee transfer are under way.',
  circuit_breaker: 'The drawdown has reached the circuit breaker.',
  deposit_address_not_approved: 'The deposit address at Bybit is not approved, or not usable yet.',
  evidence_old: 'Waiting for another read of Bybit.',
  already_harvesting: 'Harvesting is already active.',
  already_stopping: 'Harvesting is already stopping.',
  not_harvesting: 'Harvesting is not active.',
  invalid_status: 'A global run holds this pool, or its status does not allow it.',
  role_not_allowed: 'Your role does not allow this.',
  acknowledgement_old: 'Waiting for the trading bot.',
  bot_attached: 'The trading bot reports this.',
  no_positions_found: 'No position is open.',
  funds_moved: 'Funds have already returned.',
  balance_incomplete: 'Bybit holds less than at the start.',
  withdrawal_under_way: 'A withdrawal from Bybit has not ended.',
  second_person_required: 'Two super admins must decide.',
  above_dust: 'Waiting for the owner: the Bybit account is not empty.',
  usdt_owed:
    'The Bybit account owes USDT. The owner settles the debt at Bybit; the system reads the account again.',
  money_missing:
    'Money left trading another way and is not back. The owner brings it back and withdraws it to the proxy wallet.',
  returns_missing: 'Waiting for the money to reach the proxy wallet.',
  approval_required: 'Another super admin must approve the valuation.',
  own_approval: 'You started this harvest: another super admin must approve.',
  books_differ: 'The books do not balance.',
  fees_uncharged: 'Fees are still being charged.',
  amount_differs: 'Bybit credited another amount.',
  deadline_not_passed: 'The deadline is in the future.',
  decision_required: 'Two super admins must decide how it goes on.',
  evidence_missing: 'A decision needs evidence.',
  reminded_lately: 'The owner was written to within the last 10 minutes.',
  owner_unreachable: 'The owner has no Telegram ID.',
  payments_stopped: 'All payments are stopped.',
};

/** Problems of the exchange, of the bot, and of steps that wait for them. */
const OTHER_WAITS: Record<string, string> = {
  deposit_not_credited: 'Waiting for Bybit to credit the deposit.',
  other_account: "The pool's key is of another account at Bybit. Replace it by one of the pool's own.",
  deposits_suspended: 'Bybit has suspended deposits on BNB Smart Chain. The transfer is sent when they open.',
  withdrawals_suspended: 'Bybit has suspended withdrawals on BNB Smart Chain: the owner cannot withdraw yet.',
  other_token: 'Bybit credits another token at this address. Nothing is sent.',
  above_deposit_limit: 'The transfer is more than Bybit accepts in one deposit. Nothing is sent.',
  move_failed: 'Bybit did not move the funds to the trading wallet. The system moves them again.',
  move_under_way: 'Bybit is moving the funds to the trading wallet.',
  step_failed: 'The last attempt failed. The system tries again.',
  invalid_credentials: "Bybit does not accept the pool's key.",
  rate_limited: 'Bybit limits our requests.',
  timeout: 'Bybit did not answer in time.',
  unavailable: 'Bybit cannot be reached.',
};

/** A code in words; one that this console does not know is shown without its underscores. */
export function waitWords(code: string): string {
  if (Object.hasOwn(WAITS, code)) return WAITS[code as HarvestRefusal];
  const other = OTHER_WAITS[code];
  if (other) return other;
  if (code.startsWith('bot_')) return `The trading bot: ${code.slice(4).replaceAll('_', ' ')}.`;
  if (code.startsWith('deposit_')) return `Bybit holds the deposit: ${code.slice(8).replaceAll('_', ' ')}.`;
  return `${code.replaceAll('_', ' ')}.`;
}

export const isWaitCode = (code: string): boolean =>
  Object.hasOwn(WAITS, code) || Object.hasOwn(OTHER_WAITS, code) || /^(bot|deposit|move)_/.test(code);

/** How a failed or stuck cycle may go on. */
export const RESOLUTION_WORDS: Record<Resolution | 'abort', string> = {
  repeat: 'Repeat the failed step',
  funding_bounced: 'Bybit sent the funds back: send them again',
  funding_lost: 'The funds are lost: go on without them',
  abort: 'Abort the harvest',
};
