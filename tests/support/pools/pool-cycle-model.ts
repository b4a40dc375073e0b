import { splitInvoice } from '@copydesk/domain/invoices';
import {
  invoiceIssued,
  type LedgerInvoice,
  poolFeeCharged,
  poolLost,
  valuedJournals,
} from '@copydesk/domain/ledger';
import {
  allocateResult,
  cutCarry,
  decideFee,
  decideHarvest,
  decideValuation,
  type HarvestEffect,
  type HarvestEvent,
  type HarvestFacts,
  planFunding,
  readCommissionRate,
} from '@copydesk/domain/pools';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from './healthy-facts.ts';
import { checkAllocation } from './pool-checks.ts';
import { collect, payWithdrawal, reserve } from './pool-flow-model.ts';
import {
  balanceOf,
  capitalOf,
  cycleId,
  DUST_UNITS,
  memberOf,
  note,
  ofCycle,
  type PoolModel,
  post,
  totalCapital,
} from './pool-model.ts';

const RATE = readCommissionRate('0.5');
const MINIMUM_FUNDING = 10n;
const STEP = 3n;
/** Members in a journal of a valuation: few, so that most valuations have several. */
const CHUNK = 2;

/** Sends an event to the cycle and carries out the effects of a move. Returns whether it was accepted. */
export function fire(
  pool: PoolModel,
  kind: HarvestEvent['kind'],
  role: HarvestEvent['role'],
  facts: Partial<HarvestFacts> = {},
): boolean {
  const decision = decideHarvest(pool.state, { kind, role }, { ...factsOf(pool), ...facts });
  if (decision.kind === 'refuse') {
    note(pool, `refused ${kind}`);
    return false;
  }
  note(pool, kind);
  if (decision.kind === 'move') {
    pool.state = decision.to;
    pool.failure = decision.failure;
  }
  if (kind === 'approve_valuation') pool.isApproved = true;
  for (const effect of decision.effects) EFFECTS[effect.kind]?.(pool);
  if (decision.kind === 'move' && decision.to.step === 'planning' && kind !== 'retry') planNextFunding(pool);
  return true;
}

function factsOf(pool: PoolModel): HarvestFacts {
  const { outside, funding } = pool;
  const exchange = {
    ...EMPTY_EXCHANGE,
    openPositions: outside.openPositions,
    balanceUnits: outside.exchangeUnits,
  };
  return {
    ...HEALTHY_FACTS,
    exchange,
    earlierExchange: { ...exchange, ageMs: 20_000 },
    startBalanceUnits: pool.startBalanceUnits,
    returnedUnits: balanceOf(pool, 'pool_returned'),
    dustUnits: DUST_UNITS,
    valuationReasons: valuationOf(pool).reasons,
    isValuationApproved: pool.isApproved,
    uncoveredUnits: pool.state.step === 'valuing' ? allocationOf(pool).uncoveredUnits : 0n,
    areBooksBalanced: pool.bookings.length === 0,
    unchargedMembers: pool.unchargedMembers,
    pendingOperations:
      pool.withdrawals.filter(({ status }) => status === 'paying').length +
      pool.deposits.filter(({ status }) => status === 'collecting').length +
      pool.invoices.length,
    fundingUnits: funding.units,
    creditedUnits: funding.creditedUnits,
    transitUnits: balanceOf(pool, 'pool_transit'),
    failure: pool.failure,
  };
}

function valuationOf(pool: PoolModel) {
  return decideValuation({
    returnedUnits: balanceOf(pool, 'pool_returned'),
    exchangeUnits: balanceOf(pool, 'pool_exchange'),
    lostInTransitUnits: pool.lostInTransitUnits,
    capitalUnits: totalCapital(pool),
    evidenceAgeMs: 0,
    loggedResultUnits: 0n,
    foreign: [],
    otherCoinsUnits: 0n,
    owedUnits: 0n,
    owedCoinsUnits: 0n,
  });
}

const allocationOf = (pool: PoolModel) =>
  allocateResult(valuationOf(pool).resultUnits, pool.shares, balanceOf(pool, 'pool_unexplained'));

const EFFECTS: Partial<Record<HarvestEffect['kind'], (pool: PoolModel) => void>> = {
  book_valuation: (pool) => {
    const { resultUnits } = valuationOf(pool);
    const allocation = allocationOf(pool);
    checkAllocation(pool, resultUnits, pool.shares, allocation);
    if (pool.isValued) throw new Error('6 a cycle is valued twice');
    pool.isValued = true;
    pool.bookings = valuedJournals(
      {
        poolId: pool.id,
        cycleId: cycleId(pool),
        returnedUnits: balanceOf(pool, 'pool_returned'),
        exchangeUnits: balanceOf(pool, 'pool_exchange'),
        lostInTransitUnits: pool.lostInTransitUnits,
        foreignUnits: 0n,
        allocation,
      },
      CHUNK,
    );
    pool.unchargedMembers = pool.members.length;
    note(pool, resultUnits > 0n ? 'profit' : resultUnits < 0n ? 'loss' : 'neither');
    if (allocation.uncoveredUnits > 0n) note(pool, 'shortfall');
    pool.afterBookings = () => {
      pool.lostInTransitUnits = 0n;
      const allocated = new Map(allocation.parts.map(({ memberId, units }) => [memberId, units]));
      for (const [memberId, units] of allocated) memberOf(pool, memberId).allocatedUnits += units;
      chargeFees(pool, allocated);
    };
    if (pool.bookings.length === 0) bookNext(pool);
  },
  reserve_withdrawals: (pool) => {
    reserve(pool);
    collect(pool);
  },
  release_reservations: (pool) => {
    for (const one of pool.withdrawals) if (one.status === 'reserved') payWithdrawal(pool, one, false);
    if (pool.withdrawals.some(({ reservedUnits }) => reservedUnits > 0n))
      throw new Error('7 a reservation outlives the stop');
  },
  cut_carry: (pool) => {
    // The stop freezes them, as the database does with the state.
    pool.shares = pool.members.map(({ id }) => ({ memberId: id, units: capitalOf(pool, id) }));
    for (const member of pool.members)
      member.carryUnits = cutCarry(member.carryUnits, member.withdrawnUnits, member.openingUnits);
  },
  book_lost_funding: (pool) => {
    const units = balanceOf(pool, 'pool_transit');
    post(pool, poolLost(pool.id, { from: 'pool_transit', units }, ofCycle(pool, 'transit')));
    pool.lostInTransitUnits += units;
  },
  begin_next_cycle: (pool) => {
    pool.cycle += 1;
    pool.isValued = false;
    pool.isApproved = false;
    pool.funding = { attempt: 0, units: 0n, fate: 'credited', creditedUnits: 0n };
  },
};

/** As a worker does at the step after the stop, and after a transfer that came back. */
function planNextFunding(pool: PoolModel): void {
  const units = planFunding({
    proxyUnits: balanceOf(pool, 'pool_proxy'),
    feesDueUnits: balanceOf(pool, 'pool_fees_due'),
    unexplainedUnits: pool.isCareless ? 0n : balanceOf(pool, 'pool_unexplained'),
    minimumUnits: MINIMUM_FUNDING,
    stepUnits: STEP,
  });
  pool.funding = { attempt: pool.funding.attempt + 1, units, fate: 'credited', creditedUnits: 0n };
}

/** Posts the next journal of the valuation; after the last, fees are charged. */
export function bookNext(pool: PoolModel): void {
  const journal = pool.bookings.shift();
  if (journal) post(pool, journal);
  if (pool.bookings.length > 0) return;
  pool.afterBookings?.();
  pool.afterBookings = null;
}

const TERMS = {
  providerShare: '0.35',
  communityPercentage: '10',
  hasCommunityReferrer: false,
  traderReferralPercentage: null,
};

function chargeFees(pool: PoolModel, allocated: ReadonlyMap<string, bigint>): void {
  for (const member of pool.members) {
    const allocatedUnits = allocated.get(member.id) ?? 0n;
    const capitalUnits = capitalOf(pool, member.id);
    // Winners gained a third more than the result.
    const winnersUnits = allocatedUnits > 0n ? (allocatedUnits * 4n) / 3n : 1n;
    const facts = { allocatedUnits, winnersUnits, carryUnits: member.carryUnits, capitalUnits };
    const { feeUnits, carryUnits } = decideFee(facts, pool.basis, RATE);
    if (pool.basis === 'net_carry' && allocatedUnits <= 0n && feeUnits > 0n)
      throw new Error('10 a fee without profit');
    member.carryUnits = carryUnits;
    pool.unchargedMembers -= 1;
    if (feeUnits > 0n) charge(pool, member.id, feeUnits);
    member.openingUnits = capitalOf(pool, member.id);
    member.withdrawnUnits = 0n;
  }
}

function charge(pool: PoolModel, memberId: string, units: bigint): void {
  const invoice: LedgerInvoice = {
    invoiceId: `${cycleId(pool)}-${memberId}`,
    traderId: memberId,
    providerId: null,
    amountUnits: units,
    split: splitInvoice(units, TERMS) ?? [],
    offPlatformUnits: 0n,
  };
  post(pool, invoiceIssued(invoice));
  post(pool, poolFeeCharged({ poolId: pool.id, memberId }, units, ofCycle(pool, memberId)));
  memberOf(pool, memberId).feeUnits += units;
  pool.invoices.push(invoice);
}
