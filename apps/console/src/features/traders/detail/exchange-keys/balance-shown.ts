import type { TraderExchange } from '@copydesk/contract/exchanges';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { type Balances, balanceOf } from './balances-query.ts';

interface LiveRead {
  data: Balances | undefined;
  error: unknown;
  isPending: boolean;
}

export interface BalanceShown {
  /** USD; null: not known. */
  balance: string | null;
  readAt: string | null;
  /** Why it could not be read now, as displayed. */
  problem: string | null;
  isLoading: boolean;
}

/** The newer of the exchange's and the database's balance; a failed read leaves the last known one. */
export function balanceShown(account: TraderExchange, live: LiveRead): BalanceShown {
  const answer = balanceOf(live.data, account);
  const failure = live.error ? messageOf(live.error) : null;
  const problem = answer ? (answer.error?.message ?? null) : failure;
  const isAnswerNewer = answer?.read_at && timeOf(answer.read_at) >= timeOf(account.equity_read_at);
  const [balance, readAt] = isAnswerNewer
    ? [answer.balance, answer.read_at]
    : [account.equity, account.equity_read_at];
  return { balance, readAt, problem, isLoading: live.isPending && balance === null && problem === null };
}

const timeOf = (iso: string | null) => (iso ? Date.parse(iso) : 0);
