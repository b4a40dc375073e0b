import { z } from 'zod';
import { type DecimalText, GatewayError } from '../gateway.ts';
import { Amount, isZero } from '../shapes/decimal-text.ts';
import { decimal, readShape } from '../shapes/read-shape.ts';
import { isDollar, knownPrice } from '../shapes/settlement.ts';
import type { Session } from '../venue.ts';
import { BINANCE } from './binance-endpoints.ts';

const account = z.object({
  totalMarginBalance: decimal,
  assets: z.array(z.object({ asset: z.string(), marginBalance: decimal })),
});
const config = z.object({ multiAssetsMargin: z.boolean() });
const index = z.object({ symbol: z.string(), markPrice: decimal });

/**
 * Equity in USD. In multi-assets mode the account's total is in USD over all assets. In single-asset mode it counts
 * USDT only, so every other asset is added by its own margin balance: dollars unchanged, coins (such as BNB for fees)
 * at the mark price of their perpetual in USDT.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Account-Information-V3
 */
export async function readBinanceEquityUsd(session: Session): Promise<DecimalText> {
  const { totalMarginBalance: total, assets } = readShape(account, await session.call(BINANCE.account));
  const held = assets.filter(({ marginBalance }) => !isZero(marginBalance));
  const others = held.filter(({ asset }) => asset !== 'USDT');
  if (others.length === 0) return total;
  if (!countsUsdtOnly(total, held) && (await isMultiAssets(session))) return total;
  const worths = await Promise.all(
    held.map(async ({ asset, marginBalance }) =>
      isDollar(asset) ? marginBalance : new Amount(marginBalance).times(await priceOf(session, asset)),
    ),
  );
  return worths.reduce<InstanceType<typeof Amount>>((sum, worth) => sum.plus(worth), new Amount(0)).toFixed();
}

/** A total equal to the USDT balance to the last digit, although other assets are held, shows single-asset mode. */
function countsUsdtOnly(total: DecimalText, held: z.infer<typeof account>['assets']): boolean {
  return new Amount(total).eq(held.find(({ asset }) => asset === 'USDT')?.marginBalance ?? 0);
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Account-Config */
const isMultiAssets = async (session: Session): Promise<boolean> =>
  readShape(config, await session.call(BINANCE.accountConfig)).multiAssetsMargin;

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Mark-Price */
async function priceOf(session: Session, asset: string): Promise<DecimalText> {
  const symbol = `${asset}USDT`;
  const answer = readShape(index, await session.callPublic(BINANCE.markPrice, { symbol }));
  const price = answer.symbol === symbol ? knownPrice(answer.markPrice) : null;
  if (price === null) throw new GatewayError('bad_response');
  return price;
}
