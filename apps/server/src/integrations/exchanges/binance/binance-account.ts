import { z } from 'zod';
import type { KeyInfo } from '../gateway.ts';
import { identifier, readShape } from '../shapes/read-shape.ts';

const restrictions = z.object({
  ipRestrict: z.boolean(),
  enableWithdrawals: z.boolean().nullish(),
  enablePortfolioMarginTrading: z.boolean().nullish(),
});
const balances = z.array(z.object({ accountAlias: identifier }));

/** @param answer of GET /sapi/v1/account/apiRestrictions */
export const mayBinanceWithdraw = (answer: unknown): boolean | null =>
  readShape(restrictions, answer).enableWithdrawals ?? null;

/** @param answer of GET /sapi/v1/account/apiRestrictions */
export const isBinancePortfolioKey = (answer: unknown): boolean =>
  readShape(restrictions, answer).enablePortfolioMarginTrading === true;

/** The venue reports only whether there is a list. @param answer of GET /sapi/v1/account/apiRestrictions */
export function readBinanceKeyInfo(answer: unknown): Omit<KeyInfo, 'readAt'> {
  const { ipRestrict } = readShape(restrictions, answer);
  return { isSupported: true, isRestricted: ipRestrict, ips: ipRestrict ? null : [], accountType: null };
}

/** The account's alias, repeated in every row. @param answer of GET /fapi/v3/balance */
export const findBinanceAlias = (answer: unknown): string | null =>
  readShape(balances, answer)[0]?.accountAlias ?? null;
