import type { ReadyTransfer, Transfer, Wallet } from '../../../../core/transfers/transfer.ts';
import { purposeOf } from '../../../../core/transfers/transfer-purpose.ts';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { isLasting, type TransferEngine } from '../engine.ts';
import { freeze } from '../freeze.ts';
import { type Problem, recordProblems } from '../transfers.store.ts';
import { orderCoin } from './order-coin.ts';
import { CANCEL_GAS } from './sign-transfer.ts';

/**
 * Difference between writing a balance that was zero and one that was not: 20,000 for a new storage slot (EIP-2200)
 * instead of 2,900 for a used one (EIP-2929). Nothing else in a token transfer depends on the state: the sender has a
 * balance, or the simulation fails.
 */
const NEW_BALANCE_GAS = 17_100n;
/** Transfers without coin are tried again after this long. */
const AGAIN_MS = 3_000;
/** Transfers that the chain or a rule refuses are tried again after this long. */
export const AGAIN_LATER_MS = 30_000;

/** A transfer that was simulated on the chain and can be paid for. */
export interface Prepared {
  transfer: ReadyTransfer;
  gasLimit: bigint;
}

/** Simulates transfers on the chain and checks that there is coin for them; notes why the others wait. */
export async function prepare(
  engine: TransferEngine,
  wallet: Wallet & { committedWei: bigint },
  fee: Fee,
  all: readonly ReadyTransfer[],
): Promise<Prepared[]> {
  const { chain, db, now } = engine;
  const ready = all.filter((transfer) => isOwnDestination(engine, transfer));
  const refused: Problem[] = all
    .filter((transfer) => !ready.includes(transfer))
    .map(({ id }) => ({ transferId: id, problem: 'wallet_not_of_seed', detail: null }));
  const tried: Prepared[] = [];
  const [coin, ...gas] = await Promise.all([
    chain.coinOf(wallet.address),
    ...ready.map((transfer) =>
      chain.simulate({ from: wallet.address, ...transfer }).catch((error: Error) => error),
    ),
  ]);
  for (const [index, transfer] of ready.entries()) {
    const found = gas[index];
    if (typeof found === 'bigint') tried.push({ transfer, gasLimit: dearestGas(transfer, found) });
    // The chain refuses these for lack of coin.
    else if (transfer.token === null && coin < transfer.units) tried.push({ transfer, gasLimit: CANCEL_GAS });
    else refused.push(refusal(engine, transfer, found));
  }
  const failed = gas.filter((each) => chain.isServerFailure(each));
  // Nothing is known about the transfers: they wait for a server, not for the chain.
  if (failed.length > 0 && failed.length === gas.length) throw failed[0];
  await freezeIfRefused(engine, wallet, gas);
  let left = coin - wallet.committedWei;
  let lacking = 0n;
  const paidFor: Prepared[] = [];
  const short: Prepared[] = [];
  // A transfer that needs more coin than is left does not block smaller ones.
  for (const each of tried) {
    const cost = each.gasLimit * fee.maxFee + (each.transfer.token === null ? each.transfer.units : 0n);
    if (cost <= left) {
      left -= cost;
      paidFor.push(each);
    } else {
      if (short.length === 0) lacking = cost - left;
      short.push(each);
    }
  }
  if (refused.length > 0)
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      recordProblems(tx, refused, new Date(now().getTime() + AGAIN_LATER_MS)),
    );
  if (short.length > 0) {
    const problem = await orderCoin(engine, wallet, { fee, short: lacking });
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      recordProblems(
        tx,
        short.map(({ transfer }) => ({
          transferId: transfer.id,
          problem,
          detail: null,
        })),
        new Date(now().getTime() + (problem === 'gas_limit_reached' ? AGAIN_LATER_MS : AGAIN_MS)),
      ),
    );
  }
  return paidFor;
}

/**
 * Gas for the dearest state in which a transfer may be mined. Until then earlier transactions may empty the recipient's
 * balance, which the simulation found filled. A coin transfer costs the same in every state. Unused gas is not paid.
 * @param simulated gas in the state of the simulation, whichever that was
 */
function dearestGas({ token }: Transfer, simulated: bigint): bigint {
  return token === null ? simulated : simulated + NEW_BALANCE_GAS;
}

/**
 * Freezes a deposit address whose transfer the chain keeps refusing. Payouts that wait for it go on without it, and the
 * address needs review. A server that does not answer is not a refusal.
 */
async function freezeIfRefused(
  engine: TransferEngine,
  wallet: Wallet,
  found: readonly (bigint | Error)[],
): Promise<void> {
  const doubt = `refused ${wallet.id}`;
  if (wallet.role !== 'deposit' || !found.some((each) => engine.chain.isRefusal(each)))
    engine.doubts.delete(doubt);
  else if (isLasting(engine, doubt))
    await freeze(engine, wallet, {
      because: 'transfer_refused',
      chainNonce: await engine.chain.transactionCount(wallet.address, 'latest'),
    });
}

/**
 * A wallet of another seed could not send its tokens on, so an address in the database is checked against the seed.
 * Transfers to others, and to an approved
 * address, may go anywhere.
 */
function isOwnDestination(
  { keys, purposes }: TransferEngine,
  { kind, to, toWallet }: ReadyTransfer,
): boolean {
  if (purposeOf(purposes, kind).goesTo !== 'own_wallet') return true;
  return toWallet !== null && keys.addressOf(toWallet).toLowerCase() === to.toLowerCase();
}

const refusal = ({ chain }: TransferEngine, { id }: Transfer, error: unknown): Problem => ({
  transferId: id,
  problem: chain.isServerFailure(error) ? 'server_failed' : 'refused_by_chain',
  detail: chain.sentenceOf(error),
});
