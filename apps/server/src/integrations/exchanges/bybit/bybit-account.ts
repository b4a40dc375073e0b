import { z } from 'zod';
import { type DecimalText, GatewayError, type KeyInfo } from '../gateway.ts';
import { mayLeave } from '../shapes/listed-words.ts';
import { decimal, identifier, plainNumber, readShape } from '../shapes/read-shape.ts';
import type { AccountIdentity } from '../venue.ts';

const keyInfoAnswer = z.object({
  result: z.object({
    userID: identifier,
    isMaster: z.boolean(),
    ips: z.array(z.string()).nullish(),
    permissions: z.object({ Wallet: z.array(z.string()).nullish() }).nullish(),
    // Nothing about its end keeps a key from being read.
    deadlineDay: plainNumber.nullish().catch(null),
    expiredAt: z.string().nullish().catch(null),
  }),
});

const modeAnswer = z.object({ result: z.object({ uta: plainNumber.nullish() }) });

const wallet = z.object({ accountType: z.string().nullish(), totalEquity: z.unknown() });
const balanceAnswer = z.object({ result: z.object({ list: z.tuple([wallet], z.unknown()) }) });

/** The words of the group `Wallet`. https://bybit-exchange.github.io/docs/v5/user/apikey-info */
const LEAVING: ReadonlySet<string> = new Set(['Withdraw']);
const STAYING: ReadonlySet<string> = new Set([
  'AccountTransfer',
  'SubMemberTransfer',
  'SubMemberTransferList',
]);

/**
 * When a key ends, in ms: one that is bound to no address does, after 90 days, or 7 days after a change of password. A
 * negative number of days marks a key without an end, whatever the date says.
 * @returns null: never; NaN: the date is none
 */
export function bybitKeyEnd({
  deadlineDay,
  expiredAt,
}: {
  deadlineDay?: number | null | undefined;
  expiredAt?: string | null | undefined;
}): number | null {
  if (!expiredAt || (deadlineDay ?? 0) < 0) return null;
  const time = Date.parse(expiredAt);
  return time <= 0 ? null : time;
}

/** @param answer of GET /v5/user/query-api */
export function readBybitIdentity(answer: unknown): AccountIdentity {
  const { result } = readShape(keyInfoAnswer, answer);
  return {
    accUid: result.userID,
    accountType: result.isMaster ? 'master' : 'subaccount',
    mayWithdraw: mayLeave(result.permissions?.Wallet, LEAVING, STAYING),
    keyExpiresAt: bybitKeyEnd(result) || null,
  };
}

/** An asterisk marks a key without a list. @param answer of GET /v5/user/query-api */
export function readBybitKeyInfo(answer: unknown): Omit<KeyInfo, 'readAt'> {
  const { result } = readShape(keyInfoAnswer, answer);
  const ips = (result.ips ?? []).filter((ip) => ip !== '*');
  return {
    isSupported: true,
    isRestricted: ips.length > 0,
    ips,
    accountType: result.isMaster ? 'master' : 'subaccount',
    expiresAt: bybitKeyEnd(result) || null,
  };
}

/**
 * Whether the key belongs to a classic account: `uta` is 1 for a unified one, 0 for a classic one; null where the
 * answer does not say. https://bybit-exchange.github.io/docs/v5/user/apikey-info
 * @param answer of GET /v5/user/query-api
 */
export function isBybitClassic(answer: unknown): boolean | null {
  const { uta } = readShape(modeAnswer, answer).result;
  return uta === 0 || uta === 1 ? uta === 0 : null;
}

/**
 * USD over all coins, which only unified accounts have.
 * https://bybit-exchange.github.io/docs/v5/account/wallet-balance
 * @param answer of GET /v5/account/wallet-balance
 * @throws GatewayError classic_account when the wallet is of another kind
 */
export function readBybitEquity(answer: unknown): DecimalText {
  const [{ accountType, totalEquity }] = readShape(balanceAnswer, answer).result.list;
  if (accountType && accountType !== 'UNIFIED') throw new GatewayError('classic_account');
  return readShape(decimal, totalEquity);
}
