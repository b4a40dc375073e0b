import { z } from 'zod';
import type { DecimalText, KeyInfo } from '../gateway.ts';
import { decimal, identifier, readShape } from '../shapes/read-shape.ts';
import type { AccountIdentity } from '../venue.ts';

const keyInfoAnswer = z.object({
  result: z.object({
    userID: identifier,
    isMaster: z.boolean(),
    ips: z.array(z.string()).nullish(),
    permissions: z.object({ Wallet: z.array(z.string()).nullish() }),
  }),
});

const balanceAnswer = z.object({
  result: z.object({ list: z.tuple([z.object({ totalEquity: decimal })], z.unknown()) }),
});

/** @param answer of GET /v5/user/query-api */
export function readBybitIdentity(answer: unknown): AccountIdentity {
  const { result } = readShape(keyInfoAnswer, answer);
  return {
    accUid: result.userID,
    accountType: result.isMaster ? 'master' : 'subaccount',
    mayWithdraw: (result.permissions.Wallet ?? []).includes('Withdraw'),
  };
}

/** A key without a list says so with an asterisk. @param answer of GET /v5/user/query-api */
export function readBybitKeyInfo(answer: unknown): Omit<KeyInfo, 'readAt'> {
  const { result } = readShape(keyInfoAnswer, answer);
  const ips = (result.ips ?? []).filter((ip) => ip !== '*');
  return {
    isSupported: true,
    isRestricted: ips.length > 0,
    ips,
    accountType: result.isMaster ? 'master' : 'subaccount',
  };
}

/** @param answer of GET /v5/account/wallet-balance; its equity is in USD over all coins */
export const readBybitEquity = (answer: unknown): DecimalText =>
  readShape(balanceAnswer, answer).result.list[0].totalEquity;
