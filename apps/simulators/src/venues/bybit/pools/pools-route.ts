import { parseUnits } from 'viem';
import type { SimulatedPools } from '../../../pools/create-pools.ts';
import { ownUnits } from '../../../pools/pool-money.ts';
import type { PoolState } from '../../../pools/pool-state.ts';
import type { ReceivedAnswer, VenueRequest } from '../../venue.ts';
import { amount } from './wallet-calls.ts';

export const POOLS_PATH = '/__pools';

const AMOUNT = /^-?\d+(\.\d{1,18})?$/;

/**
 * GET lists the pools' accounts. POST acts as a person or the chain would: `{"account": uid, "act": "deposit", "amount":
 * "100", "tx_id": "0x..."}`, `withdraw` with `to` and `amount` or `all`, `earn` with an `amount` that may be negative,
 * `book` with a `type` of the log besides, `release`, `trade` with `every_ms`, `stop`. Only for programs on this machine.
 */
export function answerPoolsRequest(request: VenueRequest, pools: SimulatedPools): ReceivedAnswer {
  if (!/^(127\.|::1$)/.test(request.ip)) return { status: 403, body: { error: 'from this machine only' } };
  if (request.method === 'GET') return { status: 200, body: { pools: pools.list().map(describe) } };
  if (request.method !== 'POST')
    return { status: 405, body: { error: 'GET and POST' }, headers: { allow: 'GET, POST' } };
  // A web page can send a form to any address, but not JSON.
  if (!request.headers['content-type']?.startsWith('application/json'))
    return { status: 400, body: { error: 'content-type must be application/json' } };
  const error = act(request.body, pools);
  return error === null
    ? { status: 200, body: { pools: pools.list().map(describe) } }
    : { status: 400, body: { error } };
}

/** Carries out the act in the body. @returns the error in it, or null */
function act(body: string, pools: SimulatedPools): string | null {
  let asked: Record<string, unknown>;
  try {
    asked = JSON.parse(body) as Record<string, unknown>;
  } catch {
    return 'the body must be a JSON object';
  }
  const { account, act: name, amount: text, tx_id: txId, to, every_ms: everyMs, type } = asked;
  if (typeof account !== 'string' || !pools.list().some(({ uid }) => uid === account))
    return 'account must be the uid of a pool';
  const units = typeof text === 'string' && AMOUNT.test(text) ? parseUnits(text, 18) : null;
  if (name === 'earn' && units !== null) pools.earn(account, units);
  else if (name === 'book' && units !== null && typeof type === 'string') pools.book(account, type, units);
  else if (units !== null && units < 0n) return 'amount must not be negative';
  else if (name === 'deposit' && units !== null)
    pools.deposit(account, units, typeof txId === 'string' ? txId : undefined);
  else if (name === 'withdraw' && typeof to === 'string' && (units !== null || text === 'all')) {
    const outcome = pools.withdraw(account, to, units ?? 'all');
    if ('refusal' in outcome) return outcome.refusal;
  } else if (name === 'release') pools.release(account);
  else if (name === 'trade' && Number.isInteger(everyMs) && Number(everyMs) > 0)
    pools.startTrading(account, Number(everyMs));
  else if (name === 'stop') pools.stopTrading(account);
  else return 'act must be deposit, withdraw, earn, book, release, trade or stop, with its values';
  return null;
}

function describe(pool: PoolState) {
  return {
    account: pool.uid,
    deposit_address: pool.depositAddress,
    funding: amount(pool.funding),
    unified: amount(pool.unified),
    own: amount(ownUnits(pool)),
    is_trading: pool.trading !== null,
    trades: pool.trades,
    deposits: pool.deposits.length,
    withdrawals: pool.withdrawals.map(({ id, status, toAddress, units }) => ({
      id,
      status,
      to: toAddress,
      amount: amount(units),
    })),
  };
}
