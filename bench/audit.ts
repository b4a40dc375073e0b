import pg from 'pg';
import { createPool } from '../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../apps/server/src/platform/db/database.ts';
import { migrate } from '../apps/server/src/platform/db/installation/migrate.ts';
import type { Report } from './support/report.ts';

const SECONDS = 5;
const ACTOR = { kind: 'system', id: 'bench', name: 'Bench' } as const;

/** How many audited changes per second the chain takes: its writers take turns. */
export async function benchAudit(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('DROP DATABASE IF EXISTS bench_audit WITH (FORCE)');
  await owner.query('CREATE DATABASE bench_audit');
  await owner.end();
  const url = new URL(ownerUrl);
  url.pathname = '/bench_audit';
  await migrate(url.href);

  for (const writers of [1, 16]) {
    const pool = createPool({ url: url.href, maxConnections: writers, applicationName: 'bench' });
    const db = createDatabase({ pool, auditKey: Buffer.alloc(32, 1), now: () => new Date() });
    const times: number[] = [];
    const endsAt = performance.now() + SECONDS * 1_000;
    const write = async () => {
      while (performance.now() < endsAt) {
        const startedAt = performance.now();
        await db.write({ kind: 'all' }, ACTOR, async (tx) => {
          tx.audit({ action: 'bench.done', target: { kind: 'bench', id: '1' }, after: { n: times.length } });
        });
        times.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    await db.close();
    times.sort((a, b) => a - b);
    report.row(
      `Audited changes, ${writers} at once`,
      `${Math.round(times.length / SECONDS)} a second, p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`,
    );
  }
}
