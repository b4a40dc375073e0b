import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import pg from 'pg';

const SIMULATORS = fileURLToPath(new URL('../../apps/simulators/src/bin/simulators.ts', import.meta.url));

/** The simulated exchanges of a database's demo world, in a process of their own, with their documented limits. */
export async function startSimulators(
  databaseUrl: string,
): Promise<{ env: Record<string, string>; stop(): void }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT seeded_at, traders FROM demo_world');
  await client.end();
  const simulators: ChildProcess = fork(SIMULATORS, {
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMULATORS_EPOCH: rows[0].seeded_at.toISOString(),
      SIMULATORS_TRADERS: String(rows[0].traders),
    },
  });
  const [message] = await once(simulators, 'message');
  const { urls } = message as { urls: Record<Exchange, string> };
  return {
    env: Object.fromEntries(EXCHANGES.map((e) => [`EXCHANGE_${e.toUpperCase()}_URL`, urls[e]])),
    stop: () => void simulators.kill('SIGTERM'),
  };
}
