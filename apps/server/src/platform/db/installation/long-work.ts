import type pg from 'pg';
import { SILENCE_MS } from '../connection/connection.ts';
import { connectForCommand } from '../connection/database-url.ts';
import { cutConnection, hasStatements, WAITS } from '../connection/silence.ts';

/** One look is not enough: the server may have just answered, with the answer on its way. */
const LOOKS_WITHOUT_WORK = 2;

/**
 * Watches a connection whose statements may take hours without a byte, as those of migrations do: another connection asks
 * whether the server still works on them. It ends the watched one when the server does not, and its answer never came.
 * @param client that is connected, and whose silence nothing else watches
 */
export async function watchLongWork(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid;
  let idle = 0;
  const looking = setInterval(async () => {
    const wasBusy = hasStatements(client);
    // A failed query proves nothing, so the server counts as working.
    const works = wasBusy ? await isAtWork(url, pid).catch(() => true) : true;
    idle = works || !hasStatements(client) ? 0 : idle + 1;
    if (idle >= LOOKS_WITHOUT_WORK) cutConnection(client, 'the database no longer works for it');
  }, WAITS.workEveryMs).unref();
  client.once('end', () => clearInterval(looking));
}

async function isAtWork(url: string, pid: number | undefined): Promise<boolean> {
  const options = { application_name: 'copydesk-migrate-watch' };
  const other = await connectForCommand(url, 'DATABASE_OWNER_URL', options, SILENCE_MS);
  try {
    const { rows } = await other.query<{ state: string | null }>(
      'SELECT state FROM pg_stat_activity WHERE pid = $1',
      [pid],
    );
    // Where activity is not tracked (track_activities), a session is all that can be seen of its work.
    return rows[0] !== undefined && !rows[0].state?.startsWith('idle');
  } finally {
    await other.end();
  }
}
