import { z } from 'zod';
import { type DecimalText, GatewayError, type OpenPosition } from '../gateway.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';
import { isDollar } from '../shapes/settlement.ts';

const state = z.object({
  marginSummary: z.object({ accountValue: decimal }),
  assetPositions: z.array(
    z.object({
      position: z.object({
        coin: z.string(),
        szi: decimal,
        entryPx: optionalDecimal,
        positionValue: decimal,
        unrealizedPnl: decimal,
        liquidationPx: optionalDecimal,
        leverage: z.object({ value: decimal }),
      }),
    }),
  ),
});

/**
 * The kind of a market, by its coin alone; texts for display name it differently over time. `#211` is one side of an
 * outcome, `@107` and `PURR/USDC` are spot pairs, `xyz:TSLA` is a perpetual of the dex xyz.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/asset-ids
 */
export function hyperliquidMarket(coin: string): 'outcome' | 'spot' | 'perpetual' {
  if (/^[#+]/.test(coin)) return 'outcome';
  return coin.startsWith('@') || coin.includes('/') ? 'spot' : 'perpetual';
}

/** The holdings on one dex, in the venue's form. */
export type HyperliquidState = z.infer<typeof state>;

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals
 * @param answer of clearinghouseState
 */
export const readHyperliquidState = (answer: unknown): HyperliquidState => readShape(state, answer);

const heldOn = ({ assetPositions }: HyperliquidState) =>
  assetPositions.filter(
    ({ position }) => hyperliquidMarket(position.coin) === 'perpetual' && !isZero(position.szi),
  );

export const isEmptyState = (one: HyperliquidState): boolean =>
  isZero(one.marginSummary.accountValue) && heldOn(one).length === 0;

/**
 * Base and collateral in one word. Contracts of a HIP-3 dex carry its name, as in xyz:TSLA.
 * @param collateral the settlement currency of the dex; null: not known, and the contract is still quoted in USD
 */
export const hyperliquidSymbol = (coin: string, collateral: string | null): string =>
  `${coin.replace(/^[^:]*:/, '').toUpperCase()}${collateral ?? 'USD'}`;

/**
 * Value of the account on one dex in USD.
 * @throws GatewayError unsupported_account_mode for holdings in a collateral of unknown value
 */
export function hyperliquidValue(
  { marginSummary }: HyperliquidState,
  collateral: string | null,
): DecimalText {
  const { accountValue } = marginSummary;
  if (isZero(accountValue) || (collateral !== null && isDollar(collateral))) return accountValue;
  throw new GatewayError('unsupported_account_mode');
}

/**
 * Positions on one dex. The answer has no mark price, which is value divided by size. PnL is in the dex's collateral.
 */
export function hyperliquidPositions(one: HyperliquidState, collateral: string | null): OpenPosition[] {
  return heldOn(one).map(({ position }) => {
    const { coin, szi, entryPx, positionValue, leverage, liquidationPx, unrealizedPnl } = position;
    if (entryPx === null) throw new GatewayError('bad_response');
    return {
      symbol: hyperliquidSymbol(coin, collateral),
      venueSymbol: coin,
      side: szi.startsWith('-') ? 'short' : 'long',
      contracts: magnitude(szi),
      entryPrice: entryPx,
      markPrice: isZero(positionValue) ? null : toDerivedText(new Amount(positionValue).div(szi).abs()),
      leverage: leverage.value,
      liquidationPrice: liquidationPx,
      unrealizedPnl: collateral !== null && isDollar(collateral) ? unrealizedPnl : null,
      openedAt: null,
    };
  });
}
