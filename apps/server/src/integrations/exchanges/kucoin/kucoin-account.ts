import type { AccountType } from '@copydesk/domain';
import { z } from 'zod';
import type { DecimalText, KeyInfo } from '../gateway.ts';
import { listedWords } from '../shapes/listed-words.ts';
import { decimal, identifier, readShape } from '../shapes/read-shape.ts';
import type { AccountIdentity } from '../venue.ts';

const keyInfo = z.object({
  data: z.object({
    uid: identifier,
    permission: z.string(),
    ipWhitelist: z.string().nullish(),
    isMaster: z.boolean().nullish(),
  }),
});

const overview = z.object({ data: z.object({ accountEquity: decimal }) });
const markPrice = z.object({ data: z.object({ value: decimal }) });

/** Some keys do not say whose they are. */
function accountTypeOf(isMaster: boolean | null | undefined): AccountType | null {
  if (isMaster === null || isMaster === undefined) return null;
  return isMaster ? 'master' : 'subaccount';
}

/** Withdrawals are called Transfer; InnerTransfer only moves between one's own accounts. */
const MOVES_MONEY_OUT: ReadonlySet<string> = new Set(['Transfer', 'Withdraw', 'Withdrawal']);

/** @param answer of GET /api/v1/user/api-key */
export function readKucoinIdentity(answer: unknown): AccountIdentity {
  const { data } = readShape(keyInfo, answer);
  return {
    accUid: data.uid,
    accountType: accountTypeOf(data.isMaster),
    mayWithdraw: listedWords(data.permission).some((word) => MOVES_MONEY_OUT.has(word)),
  };
}

/** @param answer of GET /api/v1/user/api-key */
export function readKucoinKeyInfo(answer: unknown): Omit<KeyInfo, 'readAt'> {
  const { data } = readShape(keyInfo, answer);
  const ips = listedWords(data.ipWhitelist ?? '');
  return {
    isSupported: true,
    isRestricted: ips.length > 0,
    ips,
    accountType: accountTypeOf(data.isMaster),
  };
}

/** Equity in the currency that was asked for. @param answer of GET /api/v1/account-overview */
export const readKucoinEquity = (answer: unknown): DecimalText =>
  readShape(overview, answer).data.accountEquity;

/** @param answer of GET /api/v1/mark-price/{symbol}/current */
export const readKucoinMarkPrice = (answer: unknown): DecimalText => readShape(markPrice, answer).data.value;
