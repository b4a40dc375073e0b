import type { CallAnswer } from '@copydesk/contract';
import type { OpenPosition, TraderExchange } from '@copydesk/contract/exchanges';
import type { Trader } from '@copydesk/contract/traders';
import { groupByAccount, type PositionGroup } from '@copydesk/domain/trading';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { retryDelay, retryUnless } from '../../../../lib/api/read-retry.ts';
import { tradersKeys } from '../../traders-queries.ts';

export interface OpenGroup extends Omit<PositionGroup<OpenPosition>, 'positions'>, AccountPositions {
  positions: readonly OpenPosition[];
}

/** The open positions of a trader by account. Each account is read separately; none waits for another. */
export function useOpenPositions(trader: Trader) {
  const client = useQueryClient();
  const accounts = trader.exchanges ?? [];
  const reads = useQueries({ queries: accounts.map((account) => positionsQuery(trader.id, account)) });
  const groups = accounts.flatMap((account, index): OpenGroup[] => {
    const read = reads[index];
    if (!read) return [];
    const stored = (trader.active_positions ?? []).filter((position) => belongs(position, account));
    const shown = accountPositions(stored, read);
    const [group] = groupByAccount(shown.positions);
    const { acc_uid, exchange, provider_name } = account;
    return [{ acc_uid, exchange, provider_name, totalPnl: group?.totalPnl ?? null, ...shown }];
  });
  return {
    groups: groups.filter((group) => group.positions.length > 0 || group.problem),
    count: groups.reduce((sum, group) => sum + group.positions.length, 0),
    isLoading: groups.some((group) => group.isLoading),
    isFailed: groups.length > 0 && groups.every((group) => group.problem && group.positions.length === 0),
    isFetching: reads.some((read) => read.isFetching),
    refresh: () =>
      void client.refetchQueries({ queryKey: [...tradersKeys.live(trader.id), 'positions'], type: 'active' }),
  };
}

const belongs = (position: OpenPosition, account: TraderExchange) =>
  position.acc_uid === account.acc_uid && position.exchange === account.exchange;

interface AccountPositions {
  positions: readonly OpenPosition[];
  /** The time of the reading; null when there was none. */
  readAt: string | null;
  /** Why the exchange could not be read now, as displayed. */
  problem: string | null;
  isLoading: boolean;
}

interface LiveRead {
  data: LivePositions | undefined;
  error: unknown;
  isPending: boolean;
}

/**
 * The open positions of an account: the exchange's answer, unless the database is newer or the exchange cannot be read.
 * The last known positions are better than none, as long as their age is shown.
 */
export function accountPositions(stored: readonly OpenPosition[], live: LiveRead): AccountPositions {
  const storedAt = latest(stored.map((position) => position.read_at));
  const answer = live.data;
  const problem = answer?.meta.error?.message ?? (live.error ? messageOf(live.error) : null);
  const isLoading = live.isPending && stored.length === 0;
  if (answer?.meta.read_at && !answer.meta.error && timeOf(answer.meta.read_at) >= timeOf(storedAt)) {
    return { positions: answer.data, readAt: answer.meta.read_at, problem, isLoading };
  }
  return { positions: stored, readAt: storedAt, problem, isLoading };
}

const timeOf = (iso: string | null) => (iso ? Date.parse(iso) : 0);

function latest(times: readonly string[]): string | null {
  return times.reduce<string | null>((newest, at) => (timeOf(at) > timeOf(newest) ? at : newest), null);
}

export type LivePositions = CallAnswer<'GET /api/exchanges/{exchange}/{id}/positions'>;

/** Open positions of one account, live from its exchange (limits of the console spec, section 9). */
const positionsQuery = (traderId: string, { exchange, acc_uid }: TraderExchange) =>
  queryOptions({
    queryKey: [...tradersKeys.live(traderId), 'positions', exchange, acc_uid],
    staleTime: 30_000,
    refetchOnMount: true,
    refetchInterval: 120_000,
    retry: retryUnless((status) => status >= 400 && status < 500, 2),
    retryDelay,
    queryFn: ({ signal }) =>
      call('GET /api/exchanges/{exchange}/{id}/positions', {
        params: { exchange, id: traderId },
        query: { acc_uid },
        signal,
      }),
  });
