import type { DecimalText } from '../gateway.ts';
import { isDollar, type Settlement } from '../shapes/settlement.ts';

interface OkxSymbol {
  base: string;
  quote: string;
  /** Counted in USD and settled in the base coin. */
  isInverse: boolean;
}

/**
 * Reads the id of a contract, which remains valid after the contract expired. BTC-USD-250328 is inverse. BTC-USDT-SWAP
 * and BTC-USDC-SWAP settle in their quote, and BTC-USD_UM-SWAP in dollars of any kind.
 * https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments
 */
export function readOkxSymbol(instId: string): OkxSymbol {
  const [base = instId, second = ''] = instId.split('-');
  const quote = second.replace(/_.*$/, '');
  return { base, quote, isInverse: second === 'USD' };
}

/** BTC-USDT-SWAP and BTC-USDT-260327 are both BTCUSDT, ETH-USD_UM-250328 is ETHUSD. */
export function okxSymbol(instId: string): string {
  const { base, quote } = readOkxSymbol(instId);
  return base + quote;
}

/**
 * The payment currency of a contract: implied by its id and confirmed by the row's `ccy`, the margin currency. Where
 * the two contradict each other, the currency is unknown.
 * @param ccy empty where the row does not name it
 */
export function okxSettlement(instId: string, ccy: string, price: DecimalText | null): Settlement {
  const { base, quote, isInverse } = readOkxSymbol(instId);
  const implied = isInverse ? base : quote;
  const agrees = ccy === '' || ccy === implied || (isDollar(ccy) && isDollar(implied));
  return { currency: agrees ? implied : null, base, quote, price };
}
