import { type HarvestTurn, type TurnAct, type TurnOf, turnOf } from '@copydesk/domain/pools';
import { readTime } from '../../lib/format/read-time.ts';
import type { PooledAccount } from './pools-queries.ts';

const WHO: Record<TurnOf, string> = {
  system: 'the system',
  bot: 'the trading bot',
  owner: 'the owner',
  operator: 'an operator',
  super_admin: 'a super admin',
  another_super_admin: 'another super admin',
};

const TO: Record<TurnAct, string> = {
  withdraw: 'to withdraw',
  confirm_paused: 'to confirm that trading is paused',
  confirm_resumed: 'to confirm that trading has resumed',
  close_positions: 'to stop trading and close all positions',
  replace_key: 'to replace the key',
  approve_address: 'to set or approve the deposit address',
  approve: 'to approve the valuation',
  stop: 'to stop the harvest, once nothing is under way',
  retry: 'to retry',
  resolve: 'to decide how it goes on',
};

/** Whose turn it is: for whom a pool waits, to do what, since when and until when. */
export function turnWords({ who, act, since, until }: HarvestTurn): string {
  const to = act ? ` ${TO[act]}` : '';
  return `Waits for ${WHO[who]}${to}, since ${readTime(since)}${until ? `, until ${readTime(until)}` : ''}`;
}

/** Whether a reader of this screen has to act, and not the owner. */
export const isForPeople = ({ who }: HarvestTurn): boolean =>
  who === 'operator' || who === 'super_admin' || who === 'another_super_admin';

export const turnOfPool = ({ current_harvest_cycle, has_bot }: PooledAccount): HarvestTurn | null =>
  turnOf(current_harvest_cycle, has_bot);

const ORDER: readonly TurnOf[] = ['another_super_admin', 'super_admin', 'operator', 'owner', 'bot', 'system'];

/** Of several pools: `1 waits for an operator, 2 wait for the owner`; null: none waits. */
export function turnCountsWords(pools: readonly PooledAccount[]): string | null {
  const turns = pools.flatMap((pool) => turnOfPool(pool) ?? []);
  const parts = ORDER.flatMap((who) => {
    const count = turns.filter((turn) => turn.who === who).length;
    return count === 0 ? [] : `${count} ${count === 1 ? 'waits' : 'wait'} for ${WHO[who]}`;
  });
  return parts.length > 0 ? parts.join(', ') : null;
}

/** The red notice of a pool that is traded although its trading was paused. */
export const TRADED_ON = {
  stopped: 'A position or an order was open after trading had been paused. The harvest was called off.',
  waiting: 'A position or an order is open at Bybit although trading was paused. The pool does not go on.',
  open: 'A position or an order is open at Bybit although the pool is open to its members. Close it before the harvest is stopped.',
} as const;
