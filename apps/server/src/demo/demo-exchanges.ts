import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import pg from 'pg';
import { requirePort } from '../launcher/listening-port.ts';
import { findFreePort } from '../platform/process/free-port.ts';
import { DEMO_ACCOUNT_KEY } from './demo-wallets.ts';

export interface DemoExchanges {
  /** The settings for the demo world's processes: the addresses of the exchanges, and the world that they continue. */
  settings: Record<string, string>;
  /** False: the world was made by a version without simulators, and no exchange is reachable. */
  areSimulated: boolean;
}

/** A start that was killed may still hold its port. */
const PATIENCE_MS = 5_000;
/** No server listens there: demo data never reach a real exchange. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * The settings by which a database's demo world reaches its exchanges.
 * @param ownerUrl connection of the owner of the schema @param bybitPort 0: any free one
 */
export async function findDemoExchanges(ownerUrl: string, bybitPort: number): Promise<DemoExchanges> {
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
    const port =
      exchange === 'bybit'
        ? await requirePort(bybitPort, '127.0.0.1', {
            patienceMs: PATIENCE_MS,
            variable: 'SIMULATORS_PORT_BYBIT',
          })
        : await findFreePort();
    settings[`SIMULATORS_PORT_${exchange.toUpperCase()}`] = String(port);
    settings[urlName(exchange)] = `http://127.0.0.1:${port}`;
  }
  return { settings, areSimulated: true };
}

const urlName = (exchange: Exchange) => `EXCHANGE_${exchange.toUpperCase()}_URL`;
