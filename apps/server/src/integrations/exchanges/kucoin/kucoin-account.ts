import type { AccountType } from '@copydesk/domain';
import { z } from 'zod';
import { type DecimalText, GatewayError, type KeyInfo } from '../gateway.ts';
import { listedWords } from '../shapes/listed-words.ts';
import { decimal, identifier, readShape } from '../shapes/read-shape.ts';
import { knownPrice } from '../shapes/settlement.ts';
import type { AccountIdentity } from '../venue.ts';

const keyInfo = z.object({
  data: z.object({
    uid: identifier,
    permission: z.string(),
    ipWhitelist: z.string().nullish(),
    isMaster: z.boolean().nullish(),
  }),
});

const overview = z.object({
  data: z.object({ accountEquity: decimal, currency: z.string().nullish() }),
});
const markPrice = z.object({ data: z.object({ value: decimal }) });

/** Some keys do not name their owner. */
function accountTypeOf(isMaster: boolean | null | undefined): AccountType | null {
  if (isMaster === null || isMaster === undefined) return null;
  return isMaster ? 'master' : 'subaccount';
}

/** Withdrawals are called Transfer; InnerTransfer only moves money between a user's own accounts. */
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

/**
 * Equity in one settlement currency. @param answer of GET /api/v1/account-overview
 * @throws GatewayError bad_response when it is in another currency than requested
 */
export function readKucoinEquity(answer: unknown, asked?: string): DecimalText {
  const { accountEquity, currency } = readShape(overview, answer).data;
  if (currency && asked !== undefined && currency !== asked) throw new GatewayError('bad_response');
  return accountEquity;
}

/**
 * @param answer of GET /api/v1/mark-price/{symbol}/current
 * @throws GatewayError bad_response without a price above zero
 */
export function readKucoinMarkPrice(answer: unknown): DecimalText {
  const price = knownPrice(readShape(markPrice, answer).data.value);
  if (price === null) throw new GatewayError('bad_response');
  return price;
}
