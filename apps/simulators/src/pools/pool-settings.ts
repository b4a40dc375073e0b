import { join } from 'node:path';
import type { DemoPoolsOptions } from './start-pools.ts';

/** Funds by the number of an account, as in 1:2500000000000000000,3:10 (base units). */
function readFunds(text: string): Map<number, bigint> {
  const funds = new Map<number, bigint>();
  for (const part of text.split(',')) {
    const [, index, units] = /^(\d+):(\d+)$/.exec(part) ?? [];
    if (index && units) funds.set(Number(index), BigInt(units));
  }
  return funds;
}

/** Ids by the number of an account, as in 1:0b5f...,2:7c1e... */
function readIds(text: string): Map<number, string> {
  const pairs = text.split(',').map((part) => part.split(':'));
  return new Map(pairs.flatMap(([index, id]) => (index && id ? [[Number(index), id] as const] : [])));
}

/**
 * The settings of the pools; null without `SIMULATORS_POOLS`, their number. `SIMULATORS_POOL_FUNDS` are first
 * balances, `SIMULATORS_POOL_IDS` the ids of the pools for the bot, and `SIMULATORS_POOL_MEMBERS` the number
 * of members who pay in.
 * `SIMULATORS_PORT_TRADING_BOT` (0: any) and `SIMULATORS_BOT_SECRET` are of the bot that takes our requests;
 * it acknowledges at `SIMULATORS_ACK_URL`, signed with `SIMULATORS_ACK_SECRET` and with the service token
 * `SIMULATORS_ACK_TOKEN`, if there is one. Their accounts are kept in COPYDESK_DATA_DIR.
 */
export function readPoolSettings(
  env: NodeJS.ProcessEnv,
): Pick<DemoPoolsOptions, 'count' | 'ids' | 'stateFile' | 'funds' | 'members' | 'bot'> | null {
  const count = Number(env.SIMULATORS_POOLS || 0);
  const port = Number(env.SIMULATORS_PORT_TRADING_BOT || 0);
  const members = Number(env.SIMULATORS_POOL_MEMBERS || 0);
  if (![count, port, members].every((number) => Number.isInteger(number) && number >= 0))
    throw new Error(
      'SIMULATORS_POOLS, SIMULATORS_POOL_MEMBERS and SIMULATORS_PORT_TRADING_BOT must be whole numbers of at least 0',
    );
  if (count === 0) return null;
  const needed = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`SIMULATORS_POOLS needs ${name}`);
    return value;
  };
  return {
    count,
    stateFile: env.COPYDESK_DATA_DIR ? join(env.COPYDESK_DATA_DIR, 'pools.json') : null,
    members,
    ids: readIds(env.SIMULATORS_POOL_IDS || ''),
    funds: readFunds(env.SIMULATORS_POOL_FUNDS || ''),
    bot: env.SIMULATORS_BOT_SECRET
      ? {
          port,
          secret: env.SIMULATORS_BOT_SECRET,
          acknowledge: {
            url: needed('SIMULATORS_ACK_URL'),
            token: env.SIMULATORS_ACK_TOKEN || undefined,
            secret: needed('SIMULATORS_ACK_SECRET'),
          },
        }
      : null,
  };
}
