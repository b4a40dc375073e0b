import type { ListedAccount } from '@copydesk/contract/exchanges';
import { type AccountState, EXCHANGE_CAUSES, type ExchangeProblem } from '@copydesk/domain/trading';

export const STATE_LABELS: Record<AccountState, string> = {
  failing: 'Failing',
  unread: 'Unread',
  new: 'New',
  read: 'Read',
};

/** Names of the causes, to choose from. */
export const PROBLEM_NAMES: Record<ExchangeProblem, string> = {
  invalid_credentials: 'Credentials not accepted',
  credentials_or_ip: 'Key or address refused',
  ip_not_allowed: 'Address not allowed',
  insufficient_permission: 'Permission missing',
  key_locked: 'Keys locked',
  invalid_account: 'Account closed or suspended',
  clock_skew: 'Clock refused',
  rate_limited: 'Too many requests',
  venue_unavailable: 'Exchange not available',
  timeout: 'No answer in time',
  bad_response: 'Answer not readable',
  unsupported: 'Not offered by the exchange',
  classic_account: 'Bybit classic account',
  portfolio_margin: 'Portfolio margin',
  kucoin_unified: 'KuCoin unified account',
  unsupported_account_mode: 'Account mode cannot be valued',
};

interface Cause {
  cause: string;
  /** The act that ends it, and who does it. */
  act: string;
}

/** What keeps an account from being read; null: nothing does. */
export function causeOf({ state, problem }: Pick<ListedAccount, 'state' | 'problem'>): Cause | null {
  if (problem) return EXCHANGE_CAUSES[problem];
  if (state === 'unread')
    return {
      cause: 'It has been due for more than an hour.',
      act: 'Nothing at the exchange: it is read once a worker comes to it.',
    };
  if (state === 'new')
    return { cause: 'It was connected, and not read yet.', act: 'Nothing: it is read in its turn.' };
  return null;
}
