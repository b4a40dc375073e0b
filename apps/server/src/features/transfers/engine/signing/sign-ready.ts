import { TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { tryLockCommunities } from '../../../../core/transfers/communities.store.ts';
import type { Transfer, Wallet } from '../../../../core/transfers/transfer.ts';
import { holdTransferGate, isStopped } from '../../../../core/transfers/transfer-gate.store.ts';
import { allPurposes, purposeOf } from '../../../../core/transfers/transfer-purpose.ts';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import { takeSealingTurn } from '../../../../platform/audit/seal.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { isLasting, type TransferEngine } from '../engine.ts';
import { freeze } from '../freeze.ts';
import * as walletStore from '../sending-wallets.store.ts';
import * as transferStore from '../transfers.store.ts';
import * as attemptStore from './attempts.store.ts';
import { broadcastStored } from './broadcast.ts';
import { readRefused } from './facts.store.ts';
import { maySign } from './kept.ts';
import { claimWithinLimits, withinHardBounds } from './limits.ts';
import { type Prepared, prepare } from './prepare.ts';
import { setAsideNotBacked } from './set-aside.ts';
import { currentFee, signTransfer } from './sign-transfer.ts';

/** Wallets per turn, and at once. */
const WALLETS = 200;
const AT_ONCE = 16;

/**
 * Signs and sends ready transfers, wallet by wallet. Every check that may fail without a signature comes first, so a
 * transfer that the chain would refuse, or that lacks coin, takes no nonce. While payments are stopped, or no standby
 * would keep it, nothing is signed, and no coin is ordered.
 */
export async function signReady(engine: TransferEngine, stopped?: AbortSignal): Promise<boolean> {
  const { db, chainId, now, maxFeeWei } = engine;
  const wallets = await db.read(WHOLE_SCOPE, async (tx) =>
    (await isStopped(tx))
      ? []
      : transferStore.listWalletsToSign(tx, engine.purposes, { chainId, at: now(), limit: WALLETS }),
  );
  if (wallets.length === 0 || !(await maySign(engine))) return false;
  // What was just ordered need not wait for the loop that seals: a worker seals what it is to believe.
  while (await takeSealingTurn(engine));
  const fee = await currentFee(engine);
  if (fee.maxFee > maxFeeWei) {
    engine.onHalt?.('fees_too_high');
    engine.log.warn({ fee: fee.maxFee.toString() }, 'transaction fees exceed the limit: none is signed');
    return false;
  }
  let hasSigned = false;
  const failures: unknown[] = [];
  let tried = 0;
  for (let at = 0; at < wallets.length && !stopped?.aborted; at += AT_ONCE) {
    const turns = wallets.slice(at, at + AT_ONCE).map((wallet) => signOf(engine, wallet, fee));
    tried += turns.length;
    for (const turn of await Promise.allSettled(turns))
      if (turn.status === 'fulfilled') hasSigned ||= turn.value;
      else failures.push(turn.reason);
  }
  // When every wallet failed, the cause is not one wallet: the turn fails and is reported.
  if (tried > 0 && failures.length === tried) throw failures[0];
  for (const err of failures) engine.log.warn({ err }, 'the transfers of a wallet were not signed');
  return hasSigned;
}

async function signOf(engine: TransferEngine, wallet: Wallet, fee: Fee): Promise<boolean> {
  const { db, chain, now } = engine;
  // No coin is ordered for a wallet that this seed cannot sign for.
  if (engine.keys.addressOf(wallet).toLowerCase() !== wallet.address.toLowerCase()) {
    const chainNonce = await chain.transactionCount(wallet.address, 'latest');
    await freeze(engine, wallet, { because: 'wallet_not_of_seed', chainNonce });
    return false;
  }
  // Reads the chain first: transactions that another worker signs meanwhile only raise our own count.
  const [mined, pending] = await Promise.all([
    chain.transactionCount(wallet.address, 'latest'),
    chain.transactionCount(wallet.address, 'pending'),
  ]);
  const { ready, nextNonce, firstNonce, isNextSent, committedWei } = await db.read(
    WHOLE_SCOPE,
    async (tx) => {
      const load = await walletStore.findWalletLoad(tx, wallet.id, mined);
      const room = Math.max(0, engine.inFlight - (load.nextNonce - mined));
      return {
        ...load,
        ready: await transferStore.listReady(tx, engine.purposes, {
          walletId: wallet.id,
          at: now(),
          limit: room,
        }),
      };
    },
  );
  // The chain has more transactions of this wallet than this database, so it was signed from another database.
  if (pending > nextNonce) {
    await freeze(engine, wallet, { because: 'chain_ahead', chainNonce: pending });
    return false;
  }
  // The chain has fewer transactions than when the wallet was unfrozen, so later nonces would never be mined.
  if (mined < firstNonce && !isNextSent) {
    if (isLasting(engine, wallet.id))
      await freeze(engine, wallet, { because: 'nonce_gap', chainNonce: mined });
    return false;
  }
  engine.doubts.delete(wallet.id);
  const prepared = await prepare(engine, { ...wallet, committedWei }, fee, ready);
  engine.atStep?.('prepared');
  if (prepared.length === 0) return false;

  const claimedAt = now();
  const allowed = await claimWithinLimits(engine, await withinHardBounds(engine, prepared));
  engine.atStep?.('claimed');
  if (allowed.length === 0) return false;

  const { hashes, notBacked } = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    signPrepared(engine, tx, { wallet, fee, prepared: allowed, claimedAt }),
  );
  if (notBacked.length > 0) await setAsideNotBacked(engine, notBacked);
  if (hashes.length === 0) return notBacked.length > 0;
  engine.atStep?.('committed');
  await broadcastStored(engine, hashes);
  return true;
}

interface Claimed {
  wallet: Wallet;
  fee: Fee;
  prepared: readonly Prepared[];
  /** When they were counted toward the limits. */
  claimedAt: Date;
}

/** Well below the day for which a claim counts. */
const CLAIM_VALID_MS = 3_600_000;

interface Signed {
  hashes: string[];
  /** Transfers that no fact allows: they are not signed. */
  notBacked: Transfer[];
}
const NONE: Signed = { hashes: [], notBacked: [] };

/** Assigns nonces to transfers that may still be sent and that a fact allows, and stores the signed bytes. */
async function signPrepared(
  engine: TransferEngine,
  tx: WriteTx,
  { wallet, fee, prepared, claimedAt }: Claimed,
): Promise<Signed> {
  const { now, purposes } = engine;
  const locked = await walletStore.lockWallet(tx, wallet.id);
  // A worker that was paused since may hold an expired claim, whose amount others may have used.
  if (now().getTime() - claimedAt.getTime() > CLAIM_VALID_MS) return NONE;
  if (!locked || locked.isFrozen) return NONE;
  // Locks communities only when signing changes more than the transfer, so deposit addresses of one community do not
  // wait for each other.
  const communityIds = prepared.flatMap(({ transfer }) =>
    purposeOf(purposes, transfer.kind).onSigned ? (transfer.communityId ?? []) : [],
  );
  if (!(await tryLockCommunities(tx, communityIds))) return NONE;
  const ids = prepared.map(({ transfer }) => transfer.id);
  const planned = await transferStore.lockTransfers(tx, ids, TRANSFER_MOVES.signed.from);
  const transfers = prepared.flatMap(({ transfer }) => (planned.has(transfer.id) ? [transfer] : []));
  const { refused, unsealed } = await readRefused(engine, tx, transfers);
  const whyOf = new Map(refused.map(({ id, why }) => [id, why]));
  const notBacked = transfers.filter(({ id }) => whyOf.has(id));
  const stillPlanned = prepared.filter(
    ({ transfer: { id } }) => planned.has(id) && !whyOf.has(id) && !unsealed.has(id),
  );
  if (stillPlanned.length === 0) return { hashes: [], notBacked };
  engine.atStep?.('checked');
  // Last: from here to the commit a stop waits for this transaction, and an earlier stop is obeyed.
  if (!(await holdTransferGate(tx))) return NONE;
  const signed = await Promise.all(
    stillPlanned.map(({ transfer, gasLimit }, index) =>
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
  for (const [kind, purpose] of allPurposes(purposes)) {
    const ofKind = stillPlanned.flatMap(({ transfer }) => (transfer.kind === kind ? [transfer] : []));
    if (ofKind.length > 0) await purpose.onSigned?.(tx, ofKind);
  }
  engine.atStep?.('signed');
  return { hashes: signed.map(({ hash }) => hash), notBacked };
}
