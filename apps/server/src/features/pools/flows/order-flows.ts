import { randomUUID } from 'node:crypto';
import { ledgerAccount } from '@copydesk/domain/ledger';
import { planReservations, type TokenLimits, withinTokenLimits } from '@copydesk/domain/pools';
import { reserveAll } from '../../../core/ledger/reservations.service.ts';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import { orderTransfers } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { findProxyWallet } from './proxy-wallet.views.ts';
import { lockCollectable, saveMoving } from './queued-deposits.store.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import * as store from './withdrawals.store.ts';

/** Where transfers of pools go: the chain and the token of the books. */
export interface PoolTransferDeps {
  chainId: number;
  tokenAddress: string;
  rules: Pick<PayoutRules, 'addressHoldHours' | 'maximumUnits'>;
  /** Of the worker: what is paid because programs asked. */
  tokenLimits?: TokenLimits;
  /** How long a withdrawal waits at most for the message to its member; ten minutes when omitted. */
  noticeMinutes?: number;
}

/** When Telegram is down, members who asked for their money do not wait longer than this. */
const NOTICE_MINUTES = 10;
const waitsOf = ({ rules, noticeMinutes = NOTICE_MINUTES }: PoolTransferDeps) => ({
  holdHours: rules.addressHoldHours,
  noticeMinutes,
});

const NO_PROGRAMS: TokenLimits = { perMemberDay: 0n, perPoolDay: 0n };

/** A pool whose gate is open. The caller has locked its community and its cycle. */
export interface OpenPool {
  poolId: string;
  communityId: string;
  cycleId: string;
  minimumUnits: bigint;
}

/**
 * Takes up what waits for an open pool: reserves queued withdrawals and orders their transfers, and orders the transfers
 * that collect queued deposits. Safe to repeat.
 */
export async function orderFlows(tx: WriteTx, deps: PoolTransferDeps, pool: OpenPool): Promise<void> {
  const proxy = await findProxyWallet(tx, deps.chainId, pool.poolId);
  // The proxy wallet is set up where the seed is. Until then nothing can move.
  if (!proxy) return;
  await reserveWithdrawals(tx, deps, pool);
  await orderWithdrawals(tx, deps, pool, proxy.id);
  await orderCollections(tx, deps, pool, proxy.address);
}

async function reserveWithdrawals(
  tx: WriteTx,
  deps: PoolTransferDeps,
  { poolId, cycleId }: OpenPool,
): Promise<void> {
  const { tokenLimits = NO_PROGRAMS } = deps;
  const { maximumUnits } = deps.rules;
  const open = await store.lockOpenWithdrawals(tx, poolId, waitsOf(deps));
  const queued = open.filter(({ state }) => state === 'queued');
  const unordered = queued.filter(({ waitsBecause, isUnordered }) => isUnordered && waitsBecause === null);
  const within = await withinLimits(tx, tokenLimits, poolId, unordered);
  const judged = queued.map(({ waitsBecause, isUnordered, ...request }) => {
    if (waitsBecause !== null) return { ...request, waitsBecause };
    // The limit was tightened after the request: nothing is reserved, and it can be cancelled.
    const isTooLarge = maximumUnits !== null && request.amount !== 'all' && request.amount > maximumUnits;
    if (isTooLarge) return { ...request, waitsBecause: 'above_maximum' as const };
    const isTooMuch = isUnordered && !within.has(request.requestId);
    return { ...request, waitsBecause: isTooMuch ? ('waits_for_operator' as const) : null };
  });
  await store.recordWaiting(tx, judged);
  const payable = judged.filter(({ waitsBecause }) => waitsBecause === null);
  const available = new Map(payable.map(({ memberId, availableUnits }) => [memberId, availableUnits]));
  const reservations = planReservations(payable, available, maximumUnits);
  const granted = reservations.filter((each) => 'units' in each);
  const attemptOf = new Map(payable.map(({ requestId, attempt }) => [requestId, attempt + 1]));
  await reserveAll(
    tx,
    granted.map(({ requestId, memberId, units }) => ({
      source: {
        type: 'pool_withdrawal',
        id: store.reservationId({ requestId, attempt: attemptOf.get(requestId) ?? 1 }),
      },
      account: ledgerAccount.poolCapital(memberId),
      units,
    })),
  );
  await store.saveReserved(tx, cycleId, granted);
  await store.goOn(
    tx,
    granted.filter(({ goesOn }) => goesOn),
  );
  await store.saveRefused(
    tx,
    reservations.filter((each) => 'refusal' in each),
  );
}

/**
 * The requests of programs that need no operator. A request for everything counts with the member's whole
 * balance.
 */
async function withinLimits(
  tx: WriteTx,
  limits: TokenLimits,
  poolId: string,
  unordered: readonly store.OpenWithdrawal[],
): Promise<Set<string>> {
  if (unordered.length === 0) return new Set();
  const ofMember = await store.sumUnordered(tx, poolId);
  const ofPool = [...ofMember.values()].reduce((sum, units) => sum + units, 0n);
  const asked = unordered.map(({ requestId, memberId, amount, availableUnits }) => ({
    requestId,
    memberId,
    units: amount === 'all' ? availableUnits : amount,
  }));
  return withinTokenLimits(asked, limits, { ofMember, ofPool });
}

async function orderWithdrawals(
  tx: WriteTx,
  deps: PoolTransferDeps,
  { poolId, communityId }: OpenPool,
  walletId: string,
): Promise<void> {
  const open = await store.lockOpenWithdrawals(tx, poolId, waitsOf(deps));
  // Releases reservations whose orderer may not order any more, or which were ordered to another address.
  const outdated = open.filter(
    ({ state, waitsBecause }) => state === 'reserved' && waitsBecause === 'waits_for_operator',
  );
  await releaseWithdrawals(tx, outdated);
  await store.recordWaiting(tx, outdated);
  const paying = open.flatMap(({ requestId, state, reservedUnits, toAddress, waitsBecause }) =>
    state === 'reserved' && reservedUnits !== null && toAddress !== null && waitsBecause === null
      ? [{ requestId, transferId: randomUUID(), to: toAddress, units: reservedUnits }]
      : [],
  );
  if (paying.length === 0) return;
  await orderTransfers(
    tx,
    paying.map(({ transferId, to, units }) => ({
      id: transferId,
      kind: 'pool_withdraw',
      walletId,
      communityId,
      to,
      token: deps.tokenAddress,
      units,
      subjectId: null,
    })),
  );
  await store.savePaying(tx, paying);
}

async function orderCollections(
  tx: WriteTx,
  { chainId, tokenAddress }: PoolTransferDeps,
  { poolId, communityId, minimumUnits }: OpenPool,
  proxyAddress: string,
): Promise<void> {
  const collectable = await lockCollectable(tx, { poolId, chainId, minimumUnits });
  if (collectable.length === 0) return;
  const collecting = collectable.map((each) => ({ ...each, transferId: randomUUID() }));
  await orderTransfers(
    tx,
    collecting.map(({ transferId, walletId, units }) => ({
      id: transferId,
      kind: 'pool_collect',
      walletId,
      communityId,
      to: proxyAddress,
      token: tokenAddress,
      units,
      subjectId: null,
    })),
  );
  await saveMoving(tx, 'collecting', collecting);
}
