import { setTimeout as sleep } from 'node:timers/promises';
import { createPool, WORKER_ROLE } from '../../../apps/server/src/platform/db/connection/connection.ts';
import { listen } from '../../../apps/server/src/platform/db/connection/listen.ts';
import { createStatements } from '../../../apps/server/src/platform/db/statements.ts';
import { createLogTo } from '../../../apps/server/src/platform/observe/log.ts';
import { createJobQueue } from '../../../apps/server/src/platform/work/queue.ts';
import { startSyncs } from '../../../apps/server/src/platform/work/sync-jobs.ts';

// A worker that does nothing but read subjects, for kills.chaos.ts. The vendor is a table: a read takes what it has at one
// moment, and stores it some time later, unless a read that began later has stored its own.
const url = process.env.DATABASE_URL ?? '';
const log = createLogTo({ write: () => {} }, 'silent', 'chaos');
const statements = createStatements(createPool({ url, role: WORKER_ROLE, applicationName: 'chaos' }));
const boss = createJobQueue(statements, log);
await boss.start();
const syncs = await startSyncs(boss, {
  queue: 'clerk-sync',
  statements,
  log,
  async sync({ id }) {
    const { rows } = await statements.query<{ number: string; version: number }>(
      `SELECT nextval('chaos_read') AS number, version FROM chaos_vendor WHERE id = $1`,
      [id],
    );
    await sleep(Math.random() * 300);
    if (Math.random() < 0.1) return 'unreachable';
    await statements.query(
      'UPDATE chaos_copy SET version = $2, read_number = $3 WHERE id = $1 AND read_number < $3',
      [id, rows[0]?.version, rows[0]?.number],
    );
    return null;
  },
});
listen({ url, channel: 'copydesk_work', applicationName: 'chaos', log, onNews: syncs.wake });
