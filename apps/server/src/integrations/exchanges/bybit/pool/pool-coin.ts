import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { CoinRules } from '../../pool-records.ts';
import { decimal, readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { CHAIN, COIN, count, optionalText, optionalUnits, units } from './pool-shapes.ts';

/** `1` is normal, `0` suspended; anything else is unknown and therefore unreadable. */
const isOpen = z.enum(['0', '1']).transform((state) => state === '1');

const chain = z.object({ chain: z.string() });
const bsc = z.object({
  depositMin: units,
  withdrawMin: optionalUnits,
  withdrawFee: optionalUnits,
  withdrawPercentageFee: decimal,
  minAccuracy: count,
  chainDeposit: isOpen,
  chainWithdraw: isOpen,
  contractAddress: optionalText,
});
const coinAnswer = z.object({
  result: z.object({ rows: z.array(z.object({ coin: z.string(), chains: z.array(z.unknown()) })) }),
});

/**
 * An empty fee marks a coin that cannot be withdrawn.
 * @param answer of GET /v5/asset/coin/query-info
 * @throws GatewayError `bad_response` when it has no USDT on BNB Smart Chain
 */
export function readBybitCoin(answer: unknown): Omit<CoinRules, 'readAt'> {
  const coin = readShape(coinAnswer, answer).result.rows.find((row) => row.coin === COIN);
  const found = coin?.chains.find((one) => readShape(chain, one).chain === CHAIN);
  if (found === undefined) throw new GatewayError('bad_response');
  const rules = readShape(bsc, found);
  return {
    depositMinUnits: rules.depositMin,
    withdrawMinUnits: rules.withdrawFee === null ? null : rules.withdrawMin,
    withdrawFeeUnits: rules.withdrawFee,
    withdrawFeeShare: rules.withdrawPercentageFee,
    accuracyDecimals: rules.minAccuracy,
    maySendDeposits: rules.chainDeposit,
    mayWithdraw: rules.chainWithdraw && rules.withdrawFee !== null,
    contractAddress: rules.contractAddress?.toLowerCase() ?? null,
  };
}

export async function readBybitCoinRules(session: Session): Promise<Omit<CoinRules, 'readAt'>> {
  return readBybitCoin(await session.call(BYBIT_POOL.coin, { coin: COIN }));
}
