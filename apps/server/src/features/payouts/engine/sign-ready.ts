import { withinLimits } from '@copydesk/domain';
import type { Fee } from '../../../integrations/chain/chain-sender.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import * as attemptStore from './attempts.store.ts';
import { broadcastStored } from './broadcast.ts';
import { tryLockCommunities } from './concluded-transfers.store.ts';
import { isLasting } from './doubts.ts';
import type { PayoutEngine } from './engine.ts';
import { freeze } from './freeze.ts';
import { orderCoin } from './order-coin.ts';
import * as walletStore from './sending-wallets.store.ts';
import { CANCEL_GAS, signTransfer } from './sign-transfer.ts';
import type { ReadyTransfer, Transfer, Wallet } from './transfer.ts';
import type { Problem } from './transfers.store.ts';
import * as transferStore from './transfers.store.ts';

const ALL = { kind: 'all' } as const;
const DAY_MS = 86_400_000;
/** Wallets that are looked at in one turn, and at once. */
const WALLETS = 200;
const AT_ONCE = 16;
/** A transfer may meet a slot that it fills for the first time; what is not used is not paid for. */
const GAS_ROOM = { times: 13n, over: 10n };
/** What does not go on is looked at again after this long. */
const AGAIN_MS = 3_000;
const AGAIN_LATER_MS = 30_000;

/** A transfer that was tried on the chain and can be paid for. */
interface Prepared {
  transfer: Transfer;
  gasLimit: bigint;
}

/**
 * Signs what is ready, a wallet at a time, and sends it. Everything that may fail without having signed is done before:
 * a transfer that the chain would refuse, or that there is no coin for, takes no nonce.
 */
export async function signReady(engine: PayoutEngine, stopped?: AbortSignal): Promise<boolean> {
  const { db, chain, chainId, now, maxFeeWei } = engine;
  const wallets = await db.read(ALL, (tx) =>
    transferStore.listWalletsToSign(tx, { chainId, at: now(), limit: WALLETS }),
  );
  if (wallets.length === 0) return false;
  const fee = await chain.currentFee();
  if (fee.maxFee > maxFeeWei) {
    engine.onHalt?.('fees_too_high');
    engine.log.warn({ fee: fee.maxFee.toString() }, 'transactions cost more than they may: none is signed');
    return false;
  }
  let hasSigned = false;
  for (let at = 0; at < wallets.length && !stopped?.aborted; at += AT_ONCE) {
    const turns = wallets.slice(at, at + AT_ONCE).map((wallet) => signOf(engine, wallet, fee));
    for (const turn of await Promise.allSettled(turns))
      if (turn.status === 'fulfilled') hasSigned ||= turn.value;
      else engine.log.warn({ err: turn.reason }, 'the transfers of a wallet were not signed');
  }
  return hasSigned;
}

async function signOf(engine: PayoutEngine, wallet: Wallet, fee: Fee): Promise<boolean> {
  const { db, chain, now } = engine;
  // No coin is ordered for a wallet that this seed could not sign for.
  if (engine.keys.addressOf(wallet).toLowerCase() !== wallet.address.toLowerCase()) {
    const chainNonce = await chain.transactionCount(wallet.address, 'latest');
    await freeze(engine, wallet, { because: 'wallet_not_of_seed', chainNonce });
    return false;
  }
  // The chain first: what another worker signs meanwhile only raises what we know.
  const [mined, pending] = await Promise.all([
    chain.transactionCount(wallet.address, 'latest'),
    chain.transactionCount(wallet.address, 'pending'),
  ]);
  const { ready, nextNonce, firstNonce, isNextSent, committedWei } = await db.read(ALL, async (tx) => {
    const load = await walletStore.findWalletLoad(tx, wallet.id, mined);
    const room = Math.max(0, engine.inFlight - (load.nextNonce - mined));
    return { ...load, ready: await transferStore.listReady(tx, wallet.id, now(), room) };
  });
  // The chain knows more of this wallet than we do: this database is not the one that signed it.
  if (pending > nextNonce) {
    await freeze(engine, wallet, { because: 'chain_ahead', chainNonce: pending });
    return false;
  }
  // It has fewer than a person was told when the wallet went on from there: nothing would be mined behind the gap.
  if (mined < firstNonce && !isNextSent) {
    if (isLasting(engine, wallet.id))
      await freeze(engine, wallet, { because: 'nonce_gap', chainNonce: mined });
    return false;
  }
  engine.doubts.delete(wallet.id);
  const prepared = await prepare(engine, { ...wallet, committedWei }, fee, ready);
  engine.atStep?.('prepared');
  if (prepared.length === 0) return false;

  const hashes = await db.write(ALL, WORKER_ACTOR, async (tx) => {
    const locked = await walletStore.lockWallet(tx, wallet.id);
    if (!locked || locked.isFrozen) return [];
    // Only payouts are changed by being signed: deposit addresses of one community do not wait for each other.
    const communityIds = prepared.flatMap(({ transfer }) =>
      transfer.kind === 'distribute' ? (transfer.communityId ?? []) : [],
    );
    if (!(await tryLockCommunities(tx, communityIds))) return [];
    const ids = prepared.map(({ transfer }) => transfer.id);
    const planned = await transferStore.lockTransfers(tx, ids, 'planned');
    const allowed = await keepLimits(
      engine,
      tx,
      prepared.filter(({ transfer }) => planned.has(transfer.id)),
    );
    if (allowed.length === 0) return [];
    const signed = await Promise.all(
      allowed.map(({ transfer, gasLimit }, index) =>
        signTransfer(engine, wallet, transfer, {
          nonce: locked.nextNonce + index,
          attempt: 1,
          fee,
          gasLimit,
          isCancel: false,
        }),
      ),
    );
    await transferStore.takeNonces(tx, wallet.id, signed, now());
    await attemptStore.insertSigned(tx, wallet.id, signed, now());
    const payouts = allowed.flatMap(({ transfer }) => transfer.payoutId ?? []);
    if (payouts.length > 0) await transferStore.noteDistributing(tx, payouts);
    engine.atStep?.('signed');
    return signed.map(({ hash }) => hash);
  });
  if (hashes.length === 0) return false;
  engine.atStep?.('committed');
  await broadcastStored(engine, hashes);
  return true;
}

/** Tries transfers on the chain and sees that there is coin for them; says of the others why they wait. */
async function prepare(
  engine: PayoutEngine,
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
    if (typeof found === 'bigint')
      tried.push({ transfer, gasLimit: (found * GAS_ROOM.times) / GAS_ROOM.over });
    // There the chain says no for want of coin.
    else if (transfer.token === null && coin < transfer.units) tried.push({ transfer, gasLimit: CANCEL_GAS });
    else refused.push(refusal(transfer, found));
  }
  await freezeIfRefused(engine, wallet, gas);
  let left = coin - wallet.committedWei;
  let lacking = 0n;
  const paidFor: Prepared[] = [];
  const short: Prepared[] = [];
  // One that takes more than there is does not hold up those that take less.
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
    await db.write(ALL, WORKER_ACTOR, (tx) =>
      transferStore.noteProblems(tx, refused, new Date(now().getTime() + AGAIN_LATER_MS)),
    );
  if (short.length > 0) {
    await orderCoin(engine, wallet, { fee, short: lacking });
    await db.write(ALL, WORKER_ACTOR, (tx) =>
      transferStore.noteProblems(
        tx,
        short.map(({ transfer }) => ({
          transferId: transfer.id,
          problem: wallet.role === 'gas' ? 'gas_wallet_empty' : 'waits_for_gas',
          detail: null,
        })),
        new Date(now().getTime() + AGAIN_MS),
      ),
    );
  }
  return paidFor;
}

/**
 * A deposit address whose transfer the chain keeps refusing is frozen: what else waits for it goes on without it, and a
 * person finds out why. A server that does not answer refuses nothing.
 */
async function freezeIfRefused(
  engine: PayoutEngine,
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

/** Nobody could send on what goes to a wallet of another seed: an address in the database is not taken for granted. */
function isOwnDestination({ keys }: PayoutEngine, { kind, to, toWallet }: ReadyTransfer): boolean {
  if (kind === 'distribute') return true;
  return toWallet !== null && keys.addressOf(toWallet).toLowerCase() === to.toLowerCase();
}

function refusal({ id }: Transfer, error: unknown): Problem {
  const { shortMessage, details } = error as { shortMessage?: string; details?: string };
  return {
    transferId: id,
    problem: 'refused_by_chain',
    detail: (details || shortMessage || 'no reason told').slice(0, 500),
  };
}

/** Recipients are paid within the limits; what they hold back says so. */
async function keepLimits(
  { limits, now }: PayoutEngine,
  tx: Parameters<typeof transferStore.noteProblems>[0],
  prepared: readonly Prepared[],
): Promise<Prepared[]> {
  const isPayout = ({ transfer }: Prepared) => transfer.kind === 'distribute';
  if (!prepared.some(isPayout) || (limits.perTransaction === null && limits.perDay === null))
    return [...prepared];
  const since = new Date(now().getTime() - DAY_MS);
  const payouts = prepared.filter(isPayout).map((each) => ({ each, units: each.transfer.units }));
  const { allowed, overTransaction, overDay } = withinLimits(
    payouts,
    limits,
    await transferStore.sumSentSince(tx, since),
  );
  const problems = [
    ...overTransaction.map(({ each }) => ({ each, problem: 'over_transaction_limit' as const })),
    ...overDay.map(({ each }) => ({ each, problem: 'over_day_limit' as const })),
  ].map(({ each, problem }) => ({ transferId: each.transfer.id, problem, detail: null }));
  if (problems.length > 0)
    await transferStore.noteProblems(tx, problems, new Date(now().getTime() + AGAIN_LATER_MS));
  return [...prepared.filter((each) => !isPayout(each)), ...allowed.map(({ each }) => each)];
}
