import { verifyAudit } from './platform/audit/verify.ts';
import type { Database } from './platform/db/database.ts';
import { purgeChanges } from './platform/events/purge.store.ts';
import { forgetSilentWorkers } from './platform/jobs/heartbeat.store.ts';
import type { Logger } from './platform/log/log.ts';

export interface ScheduledJob {
  name: string;
  /** Cron expression, UTC. */
  cron: string;
  run: () => Promise<void>;
}

/** Every recurring job of the product, on one page. */
export function createSchedule(deps: { db: Database; auditKey: Buffer; log: Logger }): ScheduledJob[] {
  const { db, auditKey, log } = deps;
  return [
    { name: 'purge-changes', cron: '17 * * * *', run: () => purgeChanges(db) },
    { name: 'forget-silent-workers', cron: '*/10 * * * *', run: () => forgetSilentWorkers(db) },
    {
      name: 'verify-audit',
      cron: '40 3 * * *',
      run: async () => {
        const verdict = await db.read({ kind: 'all' }, (tx) => verifyAudit(tx.sql, auditKey));
        if (verdict.intact) log.info(verdict, 'audit chain intact');
        else log.error(verdict, 'audit chain broken');
      },
    },
  ];
}
