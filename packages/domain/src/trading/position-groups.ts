import { sumKnownPnl } from './position-figures.ts';

interface GroupablePosition {
  acc_uid: string;
  exchange: string;
  provider_name: string;
  unrealizedPnl: string | null;
}

/** The open positions of one exchange account (console spec, section 3, provider group). */
export interface PositionGroup<P extends GroupablePosition> {
  acc_uid: string;
  exchange: P['exchange'];
  provider_name: string;
  positions: P[];
  /** USD; null when no PnL is known. */
  totalPnl: string | null;
}

/** Groups open positions by account, in the order in which the accounts first appear. */
export function groupByAccount<P extends GroupablePosition>(positions: readonly P[]): PositionGroup<P>[] {
  // Two exchanges may use the same account number.
  const byAccount = Map.groupBy(positions, ({ exchange, acc_uid }) => `${exchange}:${acc_uid}`);
  return [...byAccount.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { acc_uid, exchange, provider_name } = first;
    const totalPnl = sumKnownPnl(group.map(({ unrealizedPnl }) => unrealizedPnl));
    return [{ acc_uid, exchange, provider_name, positions: group, totalPnl }];
  });
}
