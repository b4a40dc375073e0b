import { z } from 'zod';
import { type DecimalText, GatewayError, type OpenPosition } from '../gateway.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';

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

/** Everything is settled in USDC. Contracts of other deployers stand behind the deployer's name. */
export const hyperliquidSymbol = (coin: string): string => `${coin.replace(/^[^:]*:/, '').toUpperCase()}USDC`;

/** @param answer of clearinghouseState */
export const readHyperliquidEquity = (answer: unknown): DecimalText =>
  readShape(state, answer).marginSummary.accountValue;

/** The mark price is not told; value by size is what it was taken from. @param answer of clearinghouseState */
export function readHyperliquidPositions(answer: unknown): OpenPosition[] {
  const held = readShape(state, answer).assetPositions.filter(({ position }) => !isZero(position.szi));
  return held.map(({ position }) => {
    const { coin, szi, entryPx, positionValue, leverage, liquidationPx, unrealizedPnl } = position;
    if (entryPx === null) throw new GatewayError('bad_response');
    return {
      symbol: hyperliquidSymbol(coin),
      venueSymbol: coin,
      side: szi.startsWith('-') ? 'short' : 'long',
      contracts: magnitude(szi),
      entryPrice: entryPx,
      markPrice: toDerivedText(new Amount(positionValue).div(szi).abs()),
      leverage: leverage.value,
      liquidationPrice: liquidationPx,
      unrealizedPnl,
      openedAt: null,
    };
  });
}
