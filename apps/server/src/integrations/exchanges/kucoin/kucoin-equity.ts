import type { DecimalText } from '../gateway.ts';
import { Amount, isZero } from '../shapes/decimal-text.ts';
import { isDollar } from '../shapes/settlement.ts';
import type { Session } from '../venue.ts';
import { readKucoinEquity, readKucoinMarkPrice } from './kucoin-account.ts';
import type { KucoinContracts } from './kucoin-contracts.ts';
import { KUCOIN } from './kucoin-endpoints.ts';

/** Balances outlive the last contract that settles in their currency. */
const ALWAYS_ASKED = ['USDT', 'USDC', 'XBT'];

/**
 * Equity of a classic futures account in USD. The venue reports one settlement currency at a time, so this reads every
 * currency in which a listed contract settles. Dollars count unchanged, coins at the mark price of their perpetual in
 * USDT; a coin without one is an error, since its value is unknown.
 * https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-account-futures
 */
export async function readKucoinEquityUsd(
  session: Session,
  contracts: KucoinContracts,
): Promise<DecimalText> {
  const listed = [...(await contracts.list(session)).values()].map(({ settles }) => settles);
  const worths = await Promise.all(
    [...new Set([...ALWAYS_ASKED, ...listed])].map(async (currency) => {
      const equity = readKucoinEquity(await session.call(KUCOIN.overview, { currency }), currency);
      if (isDollar(currency) || isZero(equity)) return equity;
      const symbol = `${currency}USDTM`;
      const price = readKucoinMarkPrice(await session.callPublic(KUCOIN.markPrice, { symbol }));
      return new Amount(equity).times(price).toFixed();
    }),
  );
  return worths.reduce((sum, worth) => sum.plus(worth), new Amount(0)).toFixed();
}
