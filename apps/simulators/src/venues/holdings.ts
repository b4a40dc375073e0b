import { equityAt, type OpenTrade, openPositionsAt, type WorldAccount } from '../world/index.ts';

export interface Holdings {
  /** USD: the wallet and what positions are worth. */
  equity: number;
  /** USD without what positions are worth. */
  wallet: number;
  unrealizedPnl: number;
  /** USD that positions bind. */
  margin: number;
  /** USD that binds nothing. */
  available: number;
  positions: OpenTrade[];
}

/** What an account holds at a moment. @param ms by the venue's clock */
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

/** About where a position would be liquidated if its margin were all that it has. */
export function liquidationPriceOf({ side, entryPrice, leverage }: OpenTrade): number {
  return Number(entryPrice) * (1 - (side === 'long' ? 1 : -1) * (0.995 / leverage));
}
