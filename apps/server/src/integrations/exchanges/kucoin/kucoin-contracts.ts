import { z } from 'zod';
import type { DecimalText } from '../gateway.ts';
import { type ContractFacts, createContractFacts } from '../reads/contract-facts.ts';
import { Amount, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, readShape } from '../shapes/read-shape.ts';
import { KUCOIN } from './kucoin-endpoints.ts';

const contracts = z.object({
  data: z.array(
    z.object({
      symbol: z.string(),
      baseCurrency: z.string(),
      quoteCurrency: z.string(),
      multiplier: decimal,
      isInverse: z.boolean(),
    }),
  ),
});

export interface KucoinContract {
  symbol: string;
  /** What one contract is worth: coins on linear ones, USD on inverse ones. */
  value: DecimalText;
  isInverse: boolean;
}

export type KucoinContracts = ContractFacts<KucoinContract>;

/** The venue calls bitcoin XBT. */
const commonName = (currency: string): string => (currency === 'XBT' ? 'BTC' : currency);

/** @param answer of GET /api/v1/contracts/active; an inverse contract's multiplier is negative */
export const readKucoinContracts = (answer: unknown): Map<string, KucoinContract> =>
  new Map(
    readShape(contracts, answer).data.map(
      ({ symbol, baseCurrency, quoteCurrency, multiplier, isInverse }) => [
        symbol,
        {
          symbol: commonName(baseCurrency) + commonName(quoteCurrency),
          value: magnitude(multiplier),
          isInverse,
        },
      ],
    ),
  );

export const createKucoinContracts = (): KucoinContracts =>
  createContractFacts(async (session) => readKucoinContracts(await session.callPublic(KUCOIN.contracts)));

/** Contracts as an amount of the base coin. */
export function kucoinBaseSize(contracts: DecimalText, of: KucoinContract, price: DecimalText): DecimalText {
  const value = new Amount(contracts).abs().times(of.value);
  return of.isInverse ? toDerivedText(value.div(price)) : value.toFixed();
}

/** The symbol of a contract that is not listed any more: XBTUSDTM is BTCUSDT, XBTMH25 was BTCUSD. */
export function kucoinSymbol(venueSymbol: string): string {
  const dated = /^([A-Z0-9]+?)M[FGHJKMNQUVXZ]\d{2}$/.exec(venueSymbol);
  const plain = dated ? `${dated[1]}USD` : venueSymbol.replace(/M$/, '');
  return plain.replace(/^XBT/, 'BTC');
}
