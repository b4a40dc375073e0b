import type { Address, Hash } from 'viem';
import type { PoolChain } from './pool-chain.ts';
import { addDeposit, COIN_RULES, creditDeposit, refundWithdrawal } from './pool-money.ts';
import { meetArrival } from './pool-records.ts';
import type { PoolState, PoolWithdrawal } from './pool-state.ts';
import type { RecordFaults } from './record-faults.ts';
import type { SavedPools } from './state-file.ts';

const addressOf = ({ depositAddress }: PoolState) => depositAddress as Address;

interface Settling {
  chain: PoolChain;
  faults: RecordFaults;
  now: () => number;
  save: () => void;
}

/** Brings the accounts to the present block: new deposits, their confirmations, and withdrawals on their way. */
export async function settleChain(state: SavedPools, settling: Settling): Promise<void> {
  const { chain, now, save } = settling;
  const latest = await chain.latestBlock();
  await findDeposits(state, latest, settling);
  for (const pool of state.pools)
    for (const deposit of pool.deposits) {
      if (deposit.block === null) continue;
      deposit.confirmations = Number(latest - deposit.block);
      if (deposit.status === 1 && deposit.confirmations >= COIN_RULES.confirmations)
        creditDeposit(pool, deposit, now());
    }
  save();
  for (const pool of state.pools)
    for (const withdrawal of pool.withdrawals)
      if (withdrawal.status === 'Pending' && !withdrawal.isHeld)
        await goOn(pool, withdrawal, { ...settling, addresses: state.pools.map(addressOf) });
}

async function findDeposits(
  state: SavedPools,
  latest: bigint,
  { chain, faults, now }: Settling,
): Promise<void> {
  const from = state.lastBlock === null ? 0n : state.lastBlock + 1n;
  if (from > latest) return;
  const owners = new Map(state.pools.map((pool) => [pool.depositAddress.toLowerCase(), pool]));
  const addresses = state.pools.map(addressOf);
  for (const arrived of await chain.arrivals(addresses, { from, to: latest })) {
    const pool = owners.get(arrived.to.toLowerCase());
    // Less than the minimum is lost, as on the real venue.
    if (!pool || arrived.units < COIN_RULES.depositMin) continue;
    const { txId, units, block, logIndex } = arrived;
    const at = now();
    const deposit = addDeposit(pool, {
      txId,
      units,
      block,
      fromAddress: arrived.from,
      at,
      key: `${txId} ${logIndex}`,
    });
    meetArrival(pool, deposit, faults, at);
  }
  state.lastBlock = latest;
}

/** Signs, saves, sends and concludes a withdrawal, in steps that a restart may repeat. */
async function goOn(
  pool: PoolState,
  withdrawal: PoolWithdrawal,
  { chain, now, save, addresses }: Settling & { addresses: readonly Address[] },
): Promise<void> {
  if (withdrawal.rawTransaction === null) {
    // Otherwise it stays pending until the collected tokens have arrived.
    if (!(await chain.canPay(withdrawal.units, addresses))) return;
    const { raw, txId } = await chain.sign(withdrawal.toAddress as Address, withdrawal.units);
    withdrawal.rawTransaction = raw;
    withdrawal.txId = txId;
    save();
  }
  await chain.send(withdrawal.rawTransaction);
  const outcome = await chain.outcomeOf(withdrawal.txId as Hash);
  if (outcome === null) return;
  withdrawal.updatedAt = now();
  if (outcome === 'success') withdrawal.status = 'success';
  else refundWithdrawal(pool, withdrawal, { status: 'Fail', at: now() });
  save();
}
