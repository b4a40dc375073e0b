import type { AccountType, ExchangeProblem } from '@copydesk/domain/trading';
import { z } from 'zod';
import { type DecimalText, GatewayError, type KeyInfo } from '../gateway.ts';
import { listedWords, mayLeave } from '../shapes/listed-words.ts';
import { decimal, identifier, readShape } from '../shapes/read-shape.ts';
import { knownPrice } from '../shapes/settlement.ts';
import type { AccountIdentity } from '../venue.ts';

const keyInfo = z.object({
  data: z.object({
    uid: identifier,
    permission: z.string().nullish(),
    ipWhitelist: z.string().nullish(),
    isMaster: z.boolean().nullish(),
  }),
});

const overview = z.object({
  data: z.object({ accountEquity: decimal, currency: z.string().nullish() }),
});
/** `CLASSIC` or `UNIFIED`. */
const modeAnswer = z.object({ data: z.object({ selfAccountMode: z.string() }) });
const markPrice = z.object({ data: z.object({ value: decimal }) });

/** Some keys do not name their owner. */
function accountTypeOf(isMaster: boolean | null | undefined): AccountType | null {
  if (isMaster === null || isMaster === undefined) return null;
  return isMaster ? 'master' : 'subaccount';
}

/** Withdrawals are called Transfer; InnerTransfer only moves money between a user's own accounts. */
const MOVES_MONEY_OUT: ReadonlySet<string> = new Set(['Transfer', 'Withdraw', 'Withdrawal']);
/** https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-apikey-info */
const STAYING: ReadonlySet<string> = new Set([
  'General',
  'Spot',
  'Trade',
  'Margin',
  'Futures',
  'Earn',
  'Unified',
  'InnerTransfer',
]);

/** @param answer of GET /api/v1/user/api-key */
export function readKucoinIdentity(answer: unknown): AccountIdentity {
  const { data } = readShape(keyInfo, answer);
  return {
    accUid: data.uid,
    accountType: accountTypeOf(data.isMaster),
    mayWithdraw: mayLeave(data.permission ? listedWords(data.permission) : null, MOVES_MONEY_OUT, STAYING),
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

/**
 * The modes of an account. A unified one keeps its money outside the classic futures account, which stays empty.
 * https://www.kucoin.com/docs-new/rest/ua/get-account-mode
 */
export const KUCOIN_MODES = { CLASSIC: null, UNIFIED: 'kucoin_unified' } as const satisfies Record<
  string,
  ExchangeProblem | null
>;

const isKnownMode = (mode: string): mode is keyof typeof KUCOIN_MODES => Object.hasOwn(KUCOIN_MODES, mode);

/**
 * @param answer of GET /api/ua/v1/account/mode
 * @throws GatewayError kucoin_unified, unsupported_account_mode for a mode that is not documented
 */
export function requireKucoinClassic(answer: unknown): void {
  const { selfAccountMode: mode } = readShape(modeAnswer, answer).data;
  const problem = isKnownMode(mode) ? KUCOIN_MODES[mode] : 'unsupported_account_mode';
  if (problem !== null) throw new GatewayError(problem);
}
