import { z } from 'zod';
import type { DecimalText } from '../gateway.ts';
import { type ContractFacts, createContractFacts } from '../reads/contract-facts.ts';
import { Amount, isZero, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';
import { OKX } from './okx-endpoints.ts';

const instruments = z.object({ data: z.array(z.unknown()) });
const instrument = z.object({
  instId: z.string(),
  ctVal: decimal,
  ctMult: optionalDecimal,
  ctType: z.enum(['linear', 'inverse']),
});

export interface OkxContract {
  /** The value of one contract: coins on linear ones, USD on inverse ones. */
  value: DecimalText;
  isInverse: boolean;
}

export type OkxContracts = ContractFacts<OkxContract>;

/**
 * A contract before its listing has empty fields. Such a row is left out, since it has no positions.
 * @param answer of GET /api/v5/public/instruments
 */
export function readOkxContracts(answer: unknown): [string, OkxContract][] {
  return readShape(instruments, answer).data.flatMap((row): [string, OkxContract][] => {
    const { data } = instrument.safeParse(row);
    if (!data || isZero(data.ctVal)) return [];
    const { instId, ctVal, ctMult, ctType } = data;
    return [
      [instId, { value: new Amount(ctVal).times(ctMult ?? 1).toFixed(), isInverse: ctType === 'inverse' }],
    ];
  });
}

export const createOkxContracts = (): OkxContracts =>
  createContractFacts(async (session) => {
    const types = ['SWAP', 'FUTURES'];
    const answers = await Promise.all(
      types.map((instType) => session.callPublic(OKX.instruments, { instType })),
    );
    return new Map(answers.flatMap(readOkxContracts));
  });

/** Contracts as an amount of the base coin. */
export function okxBaseSize(contracts: DecimalText, of: OkxContract, price: DecimalText): DecimalText {
  const value = new Amount(contracts).abs().times(of.value);
  return of.isInverse ? toDerivedText(value.div(price)) : value.toFixed();
}

/** Spot margin and options are not contracts of this kind. */
export const isOkxContract = (instType: string): boolean => instType === 'SWAP' || instType === 'FUTURES';
