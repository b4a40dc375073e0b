import type { OpenPosition, Trader, TraderExchange } from '@copydesk/contract';
import { groupByAccount, type PositionGroup } from '@copydesk/domain';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { tradersKeys } from '../../traders-queries.ts';
import { type AccountPositions, accountPositions } from './account-positions.ts';
import { positionsQuery } from './positions-query.ts';

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
