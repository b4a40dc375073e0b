import { z } from 'zod';
import { type DecimalText, GatewayError } from '../gateway.ts';
import { Amount, isZero } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, plainNumber, readShape } from '../shapes/read-shape.ts';
import { isDollar, knownPrice } from '../shapes/settlement.ts';
import type { Session } from '../venue.ts';
import { BYBIT } from './bybit-endpoints.ts';

/**
 * What `unifiedMarginStatus` says of an account: `apart` keeps its inverse contracts in a wallet beside the unified one.
 * https://bybit-exchange.github.io/docs/v5/enum#unifiedmarginstatus
 */
export const BYBIT_MODES = {
  1: 'classic',
  3: 'apart',
  4: 'apart',
  5: 'whole',
  6: 'whole',
} as const satisfies Record<number, 'classic' | 'apart' | 'whole'>;
type BybitMode = (typeof BYBIT_MODES)[keyof typeof BYBIT_MODES];

const infoAnswer = z.object({ result: z.object({ unifiedMarginStatus: plainNumber }) });

const inverseWallet = z.object({
  accountType: z.literal('CONTRACT'),
  coin: z.array(z.object({ coin: z.string(), equity: decimal, usdValue: optionalDecimal })),
});
/** Without a wallet the list is empty. */
const inverseAnswer = z.object({ result: z.object({ list: z.array(inverseWallet).max(1) }) });
type Coin = z.infer<typeof inverseWallet>['coin'][number];

const tickerAnswer = z.object({
  result: z.object({ list: z.tuple([z.object({ symbol: z.string(), markPrice: optionalDecimal })]) }),
});

const isKnown = (status: number): status is keyof typeof BYBIT_MODES => Object.hasOwn(BYBIT_MODES, status);

/**
 * @param answer of GET /v5/account/info
 * @throws GatewayError classic_account, unsupported_account_mode for a status that is not documented
 */
export function readBybitMode(answer: unknown): Exclude<BybitMode, 'classic'> {
  const { unifiedMarginStatus: status } = readShape(infoAnswer, answer).result;
  if (!isKnown(status)) throw new GatewayError('unsupported_account_mode');
  const mode = BYBIT_MODES[status];
  if (mode === 'classic') throw new GatewayError('classic_account');
  return mode;
}

/** The coins with a balance in the inverse wallet of an older unified account. @param answer of GET /v5/account/wallet-balance */
const readBybitInverseCoins = (answer: unknown): Coin[] =>
  (readShape(inverseAnswer, answer).result.list[0]?.coin ?? []).filter(({ equity }) => !isZero(equity));

/**
 * The inverse wallet in USD: by the venue's own valuation of each coin, or else at the mark price of its inverse
 * perpetual. A coin without either is an error. https://bybit-exchange.github.io/docs/v5/acct-mode
 */
export async function readBybitInverseUsd(session: Session): Promise<DecimalText> {
  const coins = readBybitInverseCoins(await session.call(BYBIT.walletBalance, { accountType: 'CONTRACT' }));
  const worths = await Promise.all(coins.map((coin) => worthOf(session, coin)));
  return worths.reduce((sum, worth) => sum.plus(worth), new Amount(0)).toFixed();
}

async function worthOf(session: Session, { coin, equity, usdValue }: Coin): Promise<DecimalText> {
  if (isDollar(coin)) return equity;
  // 0 stands for a coin that the venue does not value.
  if (usdValue !== null && !isZero(usdValue)) return usdValue;
  const symbol = `${coin}USD`;
  const answer = await session.callPublic(BYBIT.tickers, { category: 'inverse', symbol });
  const [ticker] = readShape(tickerAnswer, answer).result.list;
  const price = ticker.symbol === symbol ? knownPrice(ticker.markPrice) : null;
  if (price === null) throw new GatewayError('bad_response');
  return new Amount(equity).times(price).toFixed();
}
