import { z } from 'zod';
import type { DecimalText, KeyInfo } from '../gateway.ts';
import { listedWords, mayLeave } from '../shapes/listed-words.ts';
import { decimal, identifier, readShape } from '../shapes/read-shape.ts';
import type { AccountIdentity } from '../venue.ts';

const configRow = z.object({
  uid: identifier,
  mainUid: identifier,
  ip: z.string(),
  perm: z.string().nullish(),
});
const config = z.object({ data: z.tuple([configRow], z.unknown()) });
const balance = z.object({ data: z.tuple([z.object({ totalEq: decimal })], z.unknown()) });

/** https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-account-configuration */
const LEAVING: ReadonlySet<string> = new Set(['withdraw']);
const STAYING: ReadonlySet<string> = new Set(['read_only', 'trade']);

/** @param answer of GET /api/v5/account/config */
export function readOkxIdentity(answer: unknown): AccountIdentity {
  const [{ uid, mainUid, perm }] = readShape(config, answer).data;
  return {
    accUid: uid,
    accountType: uid === mainUid ? 'master' : 'subaccount',
    mayWithdraw: mayLeave(perm ? listedWords(perm) : null, LEAVING, STAYING),
  };
}

/** An empty list of addresses means no restriction. @param answer of GET /api/v5/account/config */
export function readOkxKeyInfo(answer: unknown): Omit<KeyInfo, 'readAt'> {
  const [{ uid, mainUid, ip }] = readShape(config, answer).data;
  const ips = listedWords(ip);
  return {
    isSupported: true,
    isRestricted: ips.length > 0,
    ips,
    accountType: uid === mainUid ? 'master' : 'subaccount',
  };
}

/** @param answer of GET /api/v5/account/balance; its total is in USD over all coins */
export const readOkxEquity = (answer: unknown): DecimalText => readShape(balance, answer).data[0].totalEq;
