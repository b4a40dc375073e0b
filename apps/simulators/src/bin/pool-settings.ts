import { join } from 'node:path';
import type { DemoPoolsOptions } from '../pools/start-pools.ts';

/**
 * The settings of the pools; null without `SIMULATORS_POOLS`, their number. `SIMULATORS_PORT_TRADING_BOT` (0: any) and
 * `SIMULATORS_BOT_SECRET` are of the bot that takes our requests; it acknowledges at `SIMULATORS_ACK_URL`, signed with
 * `SIMULATORS_ACK_SECRET` and with the service token `SIMULATORS_ACK_TOKEN`, if there is one. Their accounts are kept in
 * COPYDESK_DATA_DIR.
 */
export function readPoolSettings(
  env: NodeJS.ProcessEnv,
): Pick<DemoPoolsOptions, 'count' | 'stateFile' | 'bot'> | null {
  const count = Number(env.SIMULATORS_POOLS || 0);
  const port = Number(env.SIMULATORS_PORT_TRADING_BOT || 0);
  if (![count, port].every((number) => Number.isInteger(number) && number >= 0))
    throw new Error('SIMULATORS_POOLS and SIMULATORS_PORT_TRADING_BOT must be whole numbers of at least 0');
  if (count === 0) return null;
  const require = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`SIMULATORS_POOLS needs ${name}`);
    return value;
  };
  return {
    count,
    stateFile: env.COPYDESK_DATA_DIR ? join(env.COPYDESK_DATA_DIR, 'pools.json') : null,
    bot: {
      port,
      secret: require('SIMULATORS_BOT_SECRET'),
      acknowledge: {
        url: require('SIMULATORS_ACK_URL'),
        token: env.SIMULATORS_ACK_TOKEN || undefined,
        secret: require('SIMULATORS_ACK_SECRET'),
      },
    },
  };
}
