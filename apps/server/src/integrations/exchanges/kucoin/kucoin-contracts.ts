import { z } from 'zod';
import type { DecimalText } from '../gateway.ts';
import { type ContractFacts, createContractFacts } from '../reads/contract-facts.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, readShape } from '../shapes/read-shape.ts';
import { KUCOIN } from './kucoin-endpoints.ts';

const contracts = z.object({ data: z.array(z.unknown()) });
const contract = z.object({
  symbol: z.string(),
  baseCurrency: z.string(),
  quoteCurrency: z.string(),
  settleCurrency: z.string(),
  multiplier: decimal,
  isInverse: z.boolean(),
});

export interface KucoinContract {
  symbol: string;
  /** The venue's own names of currencies, with XBT for bitcoin. */
  base: string;
  quote: string;
  settles: string;
  /** The value of one contract: coins on linear ones, USD on inverse ones. */
  value: DecimalText;
  isInverse: boolean;
}

export type KucoinContracts = ContractFacts<KucoinContract>;

/** The venue calls bitcoin XBT. */
const commonName = (currency: string): string => (currency === 'XBT' ? 'BTC' : currency);

/**
 * The multiplier of an inverse contract is negative. A row with missing fields is left out, as is a contract with a
 * useless multiplier. https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols
 * @param answer of GET /api/v1/contracts/active
 */
export const readKucoinContracts = (answer: unknown): Map<string, KucoinContract> =>
  new Map(
    readShape(contracts, answer).data.flatMap((row): [string, KucoinContract][] => {
      const { data } = contract.safeParse(row);
      if (!data || isZero(data.multiplier)) return [];
      const { baseCurrency: base, quoteCurrency: quote, settleCurrency: settles, isInverse } = data;
      const symbol = commonName(base) + commonName(quote);
      return [[data.symbol, { symbol, base, quote, settles, value: magnitude(data.multiplier), isInverse }]];
    }),
  );

export const createKucoinContracts = (): KucoinContracts =>
  createContractFacts(async (session) => readKucoinContracts(await session.callPublic(KUCOIN.contracts)));

/** Contracts as an amount of the base coin. */
export function kucoinBaseSize(contracts: DecimalText, of: KucoinContract, price: DecimalText): DecimalText {
  const value = new Amount(contracts).abs().times(of.value);
  return of.isInverse ? toDerivedText(value.div(price)) : value.toFixed();
}

/**
 * Reads the name of a contract that is no longer listed: XBTUSDTM settles in its quote USDT, XBTUSDM and the dated
 * XBTMH25 are quoted in USD.
 */
export function readKucoinSymbol(venueSymbol: string): Pick<KucoinContract, 'symbol' | 'base' | 'quote'> {
  const name = venueSymbol.replace(/M([FGHJKMNQUVXZ]\d{2})?$/, '');
  const [, pair, found] = /^(.+?)(USDT|USDC|USD)$/.exec(name) ?? [];
  const base = pair ?? name;
  const quote = found ?? (name === venueSymbol ? '' : 'USD');
  return { symbol: commonName(base) + quote, base, quote };
}
