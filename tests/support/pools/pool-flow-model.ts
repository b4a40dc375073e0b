import {
  poolBounced,
  poolDepositAdmitted,
  poolDepositReturned,
  poolDepositSeen,
  poolFeeMoved,
  poolFundsReturned,
  poolReturnUndone,
  poolUnexplainedIn,
  poolUnexplainedResolved,
  poolWithdrawalPaid,
  type UnexplainedEnd,
} from '@copydesk/domain/ledger';
import {
  arrivalJournalKind,
  decideDeposit,
  decideWithdrawal,
  depositsToCollect,
  mayUndoReturn,
  planReservations,
  resolvableUnits,
  type WithdrawalAmount,
} from '@copydesk/domain/pools';
import {
  balanceOf,
  capitalOf,
  type DepositModel,
  memberOf,
  newSource,
  note,
  ofCycle,
  type PoolModel,
  post,
  reservedOf,
  type WithdrawalModel,
} from './pool-model.ts';

const MINIMUM_DEPOSIT = 20n;

export function deposit(pool: PoolModel, memberId: string, units: bigint): void {
  const source = newSource(pool, 'chain_log');
  const { depositUnits } = pool.outside;
  depositUnits.set(memberId, (depositUnits.get(memberId) ?? 0n) + units);
  post(pool, poolDepositSeen(memberId, units, source));
  pool.deposits.push({ requestId: source.id, memberId, units, status: 'queued' });
}

/** Asks a deposit back, and pays it. */
export function askBack(pool: PoolModel, one: DepositModel) {
  const asked = decideDeposit(pool.state, one.status, 'ask_back');
  if ('refusal' in asked) return note(pool, 'refused ask_back');
  leaveAddress(pool, one);
  post(pool, poolDepositReturned(one.memberId, one.units, { type: 'request', id: one.requestId }));
  one.status = 'returned';
}

export function collect(pool: PoolModel): void {
  for (const one of depositsToCollect(pool.state, pool.deposits, MINIMUM_DEPOSIT)) {
    const deposit = pool.deposits.find(({ requestId }) => requestId === one.requestId);
    if (deposit) deposit.status = 'collecting';
  }
}

/** A collecting transfer is final, or did not happen. */
export function concludeCollection(pool: PoolModel, one: DepositModel, isDone: boolean) {
  const decision = decideDeposit(pool.state, one.status, isDone ? 'admit' : 'release');
  if ('refusal' in decision) return note(pool, 'refused admit');
  one.status = decision.to;
  if (!isDone) return;
  leaveAddress(pool, one);
  pool.outside.proxyUnits += one.units;
  const source = { type: 'request', id: one.requestId };
  post(pool, poolDepositAdmitted({ poolId: pool.id, memberId: one.memberId }, one.units, source));
  memberOf(pool, one.memberId).inUnits += one.units;
}

function leaveAddress(pool: PoolModel, { memberId, units }: DepositModel): void {
  const { depositUnits } = pool.outside;
  depositUnits.set(memberId, (depositUnits.get(memberId) ?? 0n) - units);
}

export function requestWithdrawal(pool: PoolModel, memberId: string, amount: WithdrawalAmount): void {
  const { id: requestId } = newSource(pool, 'request');
  pool.withdrawals.push({
    requestId,
    memberId,
    amount,
    requestedAt: new Date(pool.counter),
    status: 'queued',
    reservedUnits: 0n,
  });
}

/** Reserves all queued withdrawals. Another order of the same requests reserves the same. */
export function reserve(pool: PoolModel) {
  const isOpen = !('refusal' in decideWithdrawal(pool.state, 'queued', 'reserve'));
  if (!isOpen) return note(pool, 'refused reserve');
  const queued = pool.withdrawals.filter(({ status }) => status === 'queued');
  const available = new Map(
    pool.members.map(({ id }) => [id, capitalOf(pool, id) - reservedOf(pool, id)] as const),
  );
  const planned = planReservations(queued, available, null);
  const turned = planReservations([...queued].reverse(), available, null);
  const text = (list: typeof planned) =>
    list.map((one) => `${one.requestId} ${'units' in one ? one.units : one.refusal}`).join();
  if (text(planned) !== text(turned)) throw new Error('9 the order of requests changes reservations');
  for (const one of planned) {
    const request = queued.find(({ requestId }) => requestId === one.requestId);
    if (!request) throw new Error('a reservation without its request');
    request.status = 'units' in one ? 'reserved' : 'refused';
    request.reservedUnits = 'units' in one ? one.units : 0n;
    note(pool, request.status);
  }
}

/** Pays a reserved withdrawal, or fails to. */
export function payWithdrawal(pool: PoolModel, one: WithdrawalModel, isDone: boolean) {
  if (one.status === 'reserved' && isDone) {
    const begun = decideWithdrawal(pool.state, one.status, 'pay');
    if ('refusal' in begun) return note(pool, 'refused pay');
    one.status = begun.to;
    return;
  }
  const ended = decideWithdrawal(pool.state, one.status, isDone ? 'conclude' : 'release');
  if ('refusal' in ended) return note(pool, 'refused conclude');
  const units = one.reservedUnits;
  one.status = ended.to;
  one.reservedUnits = 0n;
  if (!isDone) return;
  pool.outside.proxyUnits -= units;
  const source = { type: 'request', id: one.requestId };
  post(pool, poolWithdrawalPaid({ poolId: pool.id, memberId: one.memberId }, units, source));
  const member = memberOf(pool, one.memberId);
  member.outUnits += units;
  member.withdrawnUnits += units;
}

/** The fee transfer is final. */
export function moveFees(pool: PoolModel): void {
  const units = balanceOf(pool, 'pool_fees_due');
  if (units === 0n) return;
  post(
    pool,
    poolFeeMoved({ poolId: pool.id, communityId: `${pool.id}-c` }, pool.invoices, ofCycle(pool, 'fee')),
  );
  pool.outside.proxyUnits -= units;
  pool.invoices = [];
}

/** Tokens arrive at the proxy wallet. */
export function arrive(
  pool: PoolModel,
  units: bigint,
  match: Parameters<typeof arrivalJournalKind>[0]['match'],
): void {
  if (units === 0n) return;
  pool.outside.proxyUnits += units;
  const kind = arrivalJournalKind({ match, isValued: pool.isValued });
  if (kind === 'pool_bounced')
    post(pool, poolBounced(pool.id, units, ofCycle(pool, `${pool.funding.attempt}`)));
  else if (kind === 'pool_funds_returned')
    post(pool, poolFundsReturned(pool.id, units, newSource(pool, 'chain_log')));
  else post(pool, poolUnexplainedIn(pool.id, units, newSource(pool, 'chain_log')));
}

/** Two people end unexplained money, as much as is possible in this way. */
export function resolveUnexplained(pool: PoolModel, end: UnexplainedEnd) {
  // A careless pool may have planned to send this money to the exchange.
  if (pool.isCareless && ['stopping_harvesting', 'failed'].includes(pool.state.status)) return;
  const units = resolvableUnits(end, {
    isValued: pool.isValued,
    isBeingBooked: pool.bookings.length > 0,
    unexplainedUnits: balanceOf(pool, 'pool_unexplained'),
    proxyUnits: balanceOf(pool, 'pool_proxy'),
    returnedUnits: balanceOf(pool, 'pool_returned'),
    shortfallUnits: balanceOf(pool, 'pool_shortfall') - pool.lostInTransitUnits,
  });
  if (units === 0n) return note(pool, `refused ${end}`);
  if (end === 'sent_back') pool.outside.proxyUnits -= units;
  const source = newSource(pool, 'decision');
  post(pool, poolUnexplainedResolved(pool.id, { end, units }, source));
  if (end === 'is_return') pool.decidedReturns.push({ units, source, cycle: pool.cycle });
}

/** One person undoes the decision that money was a withdrawal from the exchange. */
export function undoReturn(pool: PoolModel, pick: number) {
  const [one] = pool.decidedReturns.splice(pick % (pool.decidedReturns.length || 1), 1);
  if (!one) return;
  const facts = {
    isValued: pool.isValued,
    isBeingValued: pool.state.step === 'valuing',
    isOfPresentCycle: one.cycle === pool.cycle,
    returnedUnits: balanceOf(pool, 'pool_returned'),
  };
  if (!mayUndoReturn(one.units, facts)) return note(pool, 'refused undo');
  post(pool, poolReturnUndone(pool.id, one.units, one.source));
}
