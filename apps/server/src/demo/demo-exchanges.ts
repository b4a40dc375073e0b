import { EXCHANGES, type Exchange } from '@copydesk/domain';
import pg from 'pg';
import { findFreePort } from '../platform/process/free-port.ts';
import { DEMO_ACCOUNT_KEY } from './demo-wallets.ts';

export interface DemoExchanges {
  /** What the processes of the demo world are told: where the exchanges are, and which world they tell on. */
  settings: Record<string, string>;
  /** False: the world was made by a version that had no simulators, and no exchange is within its reach. */
  areSimulated: boolean;
}

/** Nobody listens there: what is made up never asks a real exchange. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * How the demo world of a database reaches its exchanges.
 * @param ownerUrl connection of the owner of the schema
 */
export async function findDemoExchanges(ownerUrl: string): Promise<DemoExchanges> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  const { rows } = await client
    .query<{ seeded_at: Date; traders: number }>('SELECT seeded_at, traders FROM demo_world')
    .finally(() => client.end());
  const world = rows[0];
  if (!world) {
    const urls = EXCHANGES.map((exchange) => [urlName(exchange), NOWHERE]);
    return { settings: Object.fromEntries(urls), areSimulated: false };
  }
  const settings: Record<string, string> = {
    SIMULATORS_EPOCH: world.seeded_at.toISOString(),
    SIMULATORS_TRADERS: String(world.traders),
    DEPOSIT_ACCOUNT_KEY: DEMO_ACCOUNT_KEY,
  };
  for (const exchange of EXCHANGES) {
    const port = await findFreePort();
    settings[`SIMULATORS_PORT_${exchange.toUpperCase()}`] = String(port);
    settings[urlName(exchange)] = `http://127.0.0.1:${port}`;
  }
  return { settings, areSimulated: true };
}

const urlName = (exchange: Exchange) => `EXCHANGE_${exchange.toUpperCase()}_URL`;
