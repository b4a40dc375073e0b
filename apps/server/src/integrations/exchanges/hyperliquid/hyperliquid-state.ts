import { z } from 'zod';
import type { DecimalText, OpenPosition } from '../gateway.ts';
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
export const hyperliquidSymbol = (coin: string): string => `${coin.replace(/^[^:]*:/, '')}USDC`;

/** @param answer of clearinghouseState */
export const readHyperliquidEquity = (answer: unknown): DecimalText =>
  readShape(state, answer).marginSummary.accountValue;

/** The mark price is not told; value by size is what it was taken from. @param answer of clearinghouseState */
export function readHyperliquidPositions(answer: unknown): OpenPosition[] {
  const held = readShape(state, answer).assetPositions.filter(({ position }) => !isZero(position.szi));
  return held.map(({ position }) => ({
    symbol: hyperliquidSymbol(position.coin),
    venueSymbol: position.coin,
    side: position.szi.startsWith('-') ? 'short' : 'long',
    contracts: magnitude(position.szi),
    entryPrice: position.entryPx ?? '0',
    markPrice: toDerivedText(new Amount(position.positionValue).div(position.szi).abs()),
    leverage: position.leverage.value,
    liquidationPrice: position.liquidationPx,
    unrealizedPnl: position.unrealizedPnl,
    openedAt: null,
  }));
}
