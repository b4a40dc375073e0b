import { EXCHANGES } from '@copydesk/domain';
import pg from 'pg';
import { findFreePort } from '../platform/embedded-postgres/free-port.ts';

/**
 * What the processes of the demo world are told: where the simulated exchanges listen, and which world they tell
 * on. Null when the world was made by a version that had no simulators.
 * @param ownerUrl connection of the owner of the schema
 */
export async function findDemoExchanges(ownerUrl: string): Promise<Record<string, string> | null> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  const { rows } = await client
    .query<{ seeded_at: Date; traders: number }>('SELECT seeded_at, traders FROM demo_world')
    .finally(() => client.end());
  const world = rows[0];
  if (!world) return null;
  const settings: Record<string, string> = {
    SIMULATORS_EPOCH: world.seeded_at.toISOString(),
    SIMULATORS_TRADERS: String(world.traders),
  };
  for (const exchange of EXCHANGES) {
    const port = await findFreePort();
    settings[`SIMULATORS_PORT_${exchange.toUpperCase()}`] = String(port);
    settings[`EXCHANGE_${exchange.toUpperCase()}_URL`] = `http://127.0.0.1:${port}`;
  }
  return settings;
}
