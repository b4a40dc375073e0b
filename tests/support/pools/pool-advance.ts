import { poolCredited, poolSent } from '@copydesk/domain/ledger';
import { isGateOpen } from '@copydesk/domain/pools';
import { checkEmpty, checkPool } from './pool-checks.ts';
import { bookNext, fire } from './pool-cycle-model.ts';
import {
  arrive,
  askBack,
  concludeCollection,
  moveFees,
  payWithdrawal,
  requestWithdrawal,
  reserve,
  resolveUnexplained,
} from './pool-flow-model.ts';
import { balanceOf, capitalOf, FEE_UNITS, note, ofCycle, type PoolModel, post } from './pool-model.ts';

/**
 * Does the next thing that the cycle waits for, as the worker, the bot, the owner or a super admin.
 * @param roll 0 to 99: chooses faults, which are rare from 40 upwards
 */
export function advance(pool: PoolModel, roll: number) {
  if (pool.bookings.length > 0) return bookNext(pool);
  const { outside, funding } = pool;
  switch (pool.state.status === 'failed' ? 'failed' : pool.state.step) {
    case 'trading':
      trade(pool, roll);
      if (roll >= 20) outside.openPositions = 0;
      fire(pool, 'start', 'super_admin');
      return;
    case 'pausing':
      if (roll < 5) fire(pool, 'abort', 'super_admin', { startBalanceUnits: outside.exchangeUnits });
      else fire(pool, 'trading_paused', 'bot');
      return;
    case 'checking':
      if (roll < 5) outside.openPositions = 1;
      pool.startBalanceUnits = outside.exchangeUnits;
      if (outside.openPositions === 0) fire(pool, 'checked', 'worker');
      // Once money has moved, the cycle does not return to trading: the positions must be closed.
      else if (!fire(pool, 'positions_appeared', 'worker')) outside.openPositions = 0;
      return;
    case 'withdrawing':
      if (roll < 5) fire(pool, 'abort', 'super_admin');
      else if (roll < 10) fire(pool, 'deadline_passed', 'worker');
      else if (!fire(pool, 'withdrawn', 'worker')) {
        if (outside.exchangeUnits > FEE_UNITS) withdrawFromExchange(pool, roll < 40 ? 50n : 100n);
        // Everything has left the exchange, and a part of it is not explained any more.
        else if (balanceOf(pool, 'pool_unexplained') > 0n) resolveUnexplained(pool, 'is_return');
        else fire(pool, 'deadline_passed', 'worker');
      }
      return;
    case 'valuing':
      if (!fire(pool, 'valued', 'worker')) fire(pool, 'approve_valuation', 'super_admin');
      return;
    case 'opening':
      fire(pool, 'opened', 'worker');
      return;
    case 'open':
    case 'closing':
      return advanceFlows(pool, roll);
    case 'planning':
      fire(pool, 'funding_planned', 'worker');
      return;
    case 'sending':
      if (roll < 10) fire(pool, 'transfer_reverted', 'worker');
      else {
        post(pool, poolSent(pool.id, funding.units, ofCycle(pool, `${funding.attempt}`)));
        outside.proxyUnits -= funding.units;
        funding.fate = roll < 20 ? 'bounced' : roll < 30 ? 'lost' : 'credited';
        fire(pool, 'funding_sent', 'worker');
      }
      return;
    case 'crediting':
      return advanceCredit(pool, roll);
    case 'moving':
      fire(pool, 'funding_moved', 'worker');
      return;
    case 'resuming':
      fire(pool, 'trading_resumed', 'operator');
      return;
    case 'failed':
      return recover(pool);
  }
}

/** The bot trades: the balance at the exchange changes by up to 59 %, or is gone. */
export function trade(pool: PoolModel, roll: number): void {
  const { outside } = pool;
  outside.exchangeUnits =
    roll === 0 ? 0n : outside.exchangeUnits + (outside.exchangeUnits * BigInt(roll - 40)) / 100n;
  outside.openPositions = roll % 3;
}

/** The owner withdraws a part of the exchange's balance to the proxy wallet. */
export function withdrawFromExchange(pool: PoolModel, percent: bigint): void {
  const units = (pool.outside.exchangeUnits * percent) / 100n;
  if (units <= FEE_UNITS) return;
  pool.outside.exchangeUnits -= units;
  // The fee is visible: returns and fees cover the balance at the start.
  pool.startBalanceUnits -= FEE_UNITS;
  arrive(pool, units - FEE_UNITS, 'withdrawal');
}

function advanceCredit(pool: PoolModel, roll: number): void {
  const { funding, outside } = pool;
  if (funding.fate === 'bounced') {
    fire(pool, 'deposit_rejected', 'worker');
    return;
  }
  const source = ofCycle(pool, `${funding.attempt}`);
  const units = funding.fate === 'credited' ? funding.units : roll < 50 ? 0n : funding.units / 2n;
  if (units > 0n && funding.creditedUnits === 0n) {
    outside.exchangeUnits += units;
    post(pool, poolCredited(pool.id, units, source));
    funding.creditedUnits = units;
  }
  if (!fire(pool, 'funding_credited', 'worker')) fire(pool, 'deadline_passed', 'worker');
}

function recover(pool: PoolModel): void {
  const { state, funding, failure } = pool;
  if (state.step === 'crediting' && funding.fate === 'bounced') {
    if (balanceOf(pool, 'pool_transit') > 0n) {
      fire(pool, 'resolve', 'super_admin', { resolution: 'funding_bounced' });
      arrive(pool, funding.units, 'bounce');
    }
    fire(pool, 'resolve', 'super_admin', { resolution: 'funding_bounced' });
  } else if (state.step === 'crediting' && funding.fate === 'lost')
    fire(pool, 'resolve', 'super_admin', { resolution: 'funding_lost' });
  else if (failure === 'shortfall') {
    fire(pool, 'retry', 'super_admin');
    fire(pool, 'resolve', 'super_admin');
  } else fire(pool, 'retry', 'super_admin');
}

function advanceFlows(pool: PoolModel, roll: number) {
  const collecting = pool.deposits.find(({ status }) => status === 'collecting');
  const paying = pool.withdrawals.find(
    ({ status }) => status === 'paying' || (status === 'reserved' && isGateOpen(pool.state)),
  );
  if (collecting) return concludeCollection(pool, collecting, roll >= 10);
  if (paying) return payWithdrawal(pool, paying, roll >= 10);
  if (pool.invoices.length > 0) return moveFees(pool);
  fire(pool, 'stop', 'super_admin');
}

/** Drives a pool to its opening, where everybody takes everything out. @throws Error when something remains */
export function emptyPool(pool: PoolModel): void {
  for (let step = 0; step < 200 && !isGateOpen(pool.state); step += 1) {
    advance(pool, 99);
    checkPool(pool);
  }
  for (const one of pool.deposits) if (one.status === 'queued') askBack(pool, one);
  const expected = new Map(pool.members.map((one) => [one.id, one.outUnits + capitalOf(pool, one.id)]));
  for (const { id } of pool.members) {
    requestWithdrawal(pool, id, 'all');
    requestWithdrawal(pool, id, 'all');
  }
  for (let step = 0; step < 400 && isBusy(pool); step += 1) {
    if (pool.withdrawals.some(({ status }) => status === 'queued')) reserve(pool);
    const collecting = pool.deposits.find(({ status }) => status === 'collecting');
    if (collecting) concludeCollection(pool, collecting, false);
    for (const one of pool.deposits) if (one.status === 'queued') askBack(pool, one);
    for (const one of pool.withdrawals)
      if (one.status === 'reserved' || one.status === 'paying') payWithdrawal(pool, one, true);
    moveFees(pool);
    checkPool(pool);
  }
  for (const { id, outUnits } of pool.members)
    if (outUnits !== expected.get(id))
      throw new Error(`13 ${id} took out ${outUnits} of ${expected.get(id)}`);
  resolveUnexplained(pool, 'covers_shortfall');
  resolveUnexplained(pool, 'sent_back');
  checkPool(pool);
  checkEmpty(pool);
  note(pool, 'emptied');
}

const isBusy = (pool: PoolModel): boolean =>
  pool.invoices.length > 0 ||
  pool.deposits.some(({ status }) => status === 'queued' || status === 'collecting') ||
  pool.withdrawals.some(({ status }) => status === 'queued' || status === 'reserved' || status === 'paying');
