import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { PoolKey } from '../../pool-records.ts';
import { identifier, plainNumber, readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { bybitKeyEnd, isBybitClassic } from '../bybit-account.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { optionalText } from './pool-shapes.ts';

const keyAnswer = z.object({
  result: z.object({
    userID: identifier,
    isMaster: z.boolean(),
    readOnly: plainNumber.pipe(z.union([z.literal(0), z.literal(1)])),
    permissions: z.record(z.string(), z.array(z.string()).nullish()),
    ips: z.array(z.string()).nullish(),
    deadlineDay: plainNumber.nullish(),
    expiredAt: optionalText,
  }),
});

/** Transfers to other accounts, besides withdrawing. */
const LEAVING_WALLET = ['Wallet.Withdraw', 'Wallet.SubMemberTransfer', 'Wallet.SubMemberTransferList'];
/** Groups of permissions to pay with. */
const PAYING = /^(FiatP2P|FiatBitPay|FiatGlobalPay|BitCard)\./;

/** @param answer of GET /v5/user/query-api */
export function readBybitPoolKey(answer: unknown): Omit<PoolKey, 'readAt' | 'region'> {
  const { result } = readShape(keyAnswer, answer);
  const isClassic = isBybitClassic(answer);
  const permissions = Object.entries(result.permissions).flatMap(([group, names]) =>
    (names ?? []).map((name) => `${group}.${name}`),
  );
  const isReadOnly = result.readOnly === 1;
  return {
    uid: result.userID,
    isMaster: result.isMaster,
    isUnified: isClassic === null ? null : !isClassic,
    isReadOnly,
    permissions,
    mayWithdraw: permissions.includes('Wallet.Withdraw'),
    leavingPermissions: permissions.filter((name) => LEAVING_WALLET.includes(name) || PAYING.test(name)),
    mayMove: !isReadOnly && permissions.includes('Wallet.AccountTransfer'),
    ips: (result.ips ?? []).filter((ip) => ip !== '*'),
    expiresAt: expiryOf(result),
  };
}

function expiryOf(result: z.infer<typeof keyAnswer>['result']): number | null {
  const time = bybitKeyEnd(result);
  if (Number.isNaN(time)) throw new GatewayError('bad_response');
  return time;
}

/**
 * For calls that Bybit answers to master keys only, or answers to others with less than everything.
 * @throws GatewayError `unsupported` for any other key
 */
export async function requireMaster(session: Session): Promise<void> {
  const { isMaster } = readBybitPoolKey(await session.call(BYBIT_POOL.keyInfo));
  if (!isMaster) throw new GatewayError('unsupported');
}
