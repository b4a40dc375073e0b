import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { DepositAddress } from '../../pool-records.ts';
import { readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { requireMaster } from './pool-key.ts';
import { CHAIN, COIN, optionalText, units } from './pool-shapes.ts';

const chain = z.object({
  chain: z.string(),
  addressDeposit: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  // With a tag the address would not be the account's own.
  tagDeposit: z.literal('').nullish(),
  batchReleaseLimit: units,
  contractAddress: optionalText,
});

/** A list for the master account, a single object for a subaccount. */
const addressAnswer = z.object({
  result: z.object({
    coin: z.literal(COIN),
    chains: z.union([z.array(chain), chain.transform((one) => [one])]),
  }),
});

/**
 * @param answer of GET /v5/asset/deposit/query-address or query-sub-member-address
 * @throws GatewayError bad_response unless it has exactly one address on BNB Smart Chain
 */
export function readBybitDepositAddress(answer: unknown): Omit<DepositAddress, 'readAt'> {
  const { chains } = readShape(addressAnswer, answer).result;
  const [found, ...others] = chains.filter((one) => one.chain === CHAIN);
  if (!found || others.length > 0) throw new GatewayError('bad_response');
  return {
    address: found.addressDeposit,
    contractEnding: found.contractAddress,
    releaseLimitUnits: found.batchReleaseLimit < 0n ? null : found.batchReleaseLimit,
  };
}

export async function findBybitDepositAddress(
  session: Session,
  { subUid }: { subUid?: string },
): Promise<Omit<DepositAddress, 'readAt'>> {
  await requireMaster(session);
  const params = { coin: COIN, chainType: CHAIN };
  return readBybitDepositAddress(
    subUid === undefined
      ? await session.call(BYBIT_POOL.depositAddress, params)
      : await session.call(BYBIT_POOL.subDepositAddress, { ...params, subMemberId: subUid }),
  );
}
