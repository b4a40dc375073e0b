import { GatewayError } from '../gateway.ts';
import type { Session } from '../venue.ts';
import { isBinancePortfolioKey } from './binance-account.ts';
import { BINANCE } from './binance-endpoints.ts';

/** The futures calls' refusal of a key that may not use them, which looks like a wrong key or a foreign address. */
const REFUSED = '-2015';

/**
 * Runs a read of the futures account. An account in portfolio margin keeps its money elsewhere: its futures calls are
 * refused, or answered from an empty account. Both are checked against the key, so that neither a wrong key nor a
 * figure of 0 is reported. https://developers.binance.com/docs/derivatives/portfolio-margin/general-info
 * @param isEmpty whether the account would be shown as one without anything
 * @throws GatewayError portfolio_margin
 */
export async function unlessPortfolio<T>(
  session: Session,
  read: () => Promise<T>,
  isEmpty: (value: T) => boolean,
): Promise<T> {
  let value: T;
  try {
    value = await read();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.venueCode !== REFUSED) throw error;
    if (await asksForPortfolio(session)) throw new GatewayError('portfolio_margin', { venueCode: REFUSED });
    throw error;
  }
  if (isEmpty(value) && isBinancePortfolioKey(await session.call(BINANCE.keyInfo)))
    throw new GatewayError('portfolio_margin');
  return value;
}

/** False as well when the key itself is refused: then it is wrong, or our address is. */
async function asksForPortfolio(session: Session): Promise<boolean> {
  try {
    return isBinancePortfolioKey(await session.call(BINANCE.keyInfo));
  } catch (error) {
    if (error instanceof GatewayError && error.venueCode === REFUSED) return false;
    throw error;
  }
}
