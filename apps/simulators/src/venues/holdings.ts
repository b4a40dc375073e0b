import { equityAt, type OpenTrade, openPositionsAt, type WorldAccount } from '../world/index.ts';

export interface Holdings {
  /** USD: the wallet and the unrealised profit of positions. */
  equity: number;
  /** USD without unrealised profit. */
  wallet: number;
  unrealizedPnl: number;
  /** USD used as margin. */
  margin: number;
  /** USD not used as margin. */
  available: number;
  positions: OpenTrade[];
}

/** An account's holdings at a moment. @param ms by the venue's clock */
export function holdingsAt(account: WorldAccount, ms: number): Holdings {
  const positions = openPositionsAt(account, ms);
  const equity = equityAt(account, ms);
  const unrealizedPnl = positions.reduce((sum, one) => sum + one.unrealizedPnl, 0);
  const margin = positions.reduce((sum, one) => sum + one.notional / one.leverage, 0);
  return {
    equity,
    wallet: equity - unrealizedPnl,
    unrealizedPnl,
    margin,
    available: Math.max(0, equity - margin),
    positions,
  };
}

/** The approximate liquidation price of a position backed by its margin alone. */
export function liquidationPriceOf({ side, entryPrice, leverage }: OpenTrade): number {
  return Number(entryPrice) * (1 - (side === 'long' ? 1 : -1) * (0.995 / leverage));
}
