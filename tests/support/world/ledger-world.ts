import { randomUUID } from 'node:crypto';
import type { Scope } from '@copydesk/domain/access';
import type { LedgerInvoice } from '@copydesk/domain/ledger';
import { postJournals } from '../../../apps/server/src/core/ledger/ledger.service.ts';
import { createPool } from '../../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type WriteTx } from '../../../apps/server/src/platform/db/database.ts';
import { retryConflicts } from '../../../apps/server/src/platform/db/retry-conflicts.ts';
import { createTestDatabase } from '../database.ts';
import { ownerOf } from './rows.ts';

export const ALL: Scope = { kind: 'all' };
export const ACTOR = { kind: 'system', id: 'test', name: 'Test' } as const;
export const PROVIDERS = [
  '00000000-0000-4000-8000-00000000000a',
  '00000000-0000-4000-8000-00000000000b',
] as const;

/** A database of its own with two providers, and the number of connections that a test needs. */
export async function createLedgerWorld({ maxConnections = 10 } = {}) {
  const database = await createTestDatabase();
  const pool = createPool({ url: database.ownerUrl, maxConnections, applicationName: 'test-ledger' });
  const db = createDatabase({ pool, auditKey: Buffer.alloc(32, 7), now: () => new Date() });
  await db.write(ALL, ACTOR, async (tx) => {
    for (const id of PROVIDERS)
      await tx.sql.insertInto('provider').values({ id, name: id, display_name: id }).execute();
  });
  return {
    db,
    pool,
    ownerUrl: database.ownerUrl,
    /** A transaction with full scope, retried when the database rolled it back. */
    write: <T>(work: (tx: WriteTx) => Promise<T>) => retryConflicts(() => db.write(ALL, ACTOR, work)),
    post: (...drafts: Parameters<typeof postJournals>[1][number]['draft'][]) =>
      retryConflicts(() =>
        db.write(ALL, ACTOR, (tx) =>
          postJournals(
            tx,
            drafts.map((draft) => ({ draft })),
          ),
        ),
      ),
    asOwner: ownerOf(database.ownerUrl),
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

export type LedgerWorld = Awaited<ReturnType<typeof createLedgerWorld>>;

/** An invoice of 100 units, of a trader new to the test. */
export function makeInvoice(changes: Partial<LedgerInvoice> = {}): LedgerInvoice {
  return {
    invoiceId: randomUUID(),
    traderId: randomUUID(),
    providerId: PROVIDERS[0],
    amountUnits: 100n,
    split: [
      { recipientType: 'mark', amountUnits: 70n },
      { recipientType: 'community', amountUnits: 30n },
    ],
    offPlatformUnits: 0n,
    ...changes,
  };
}

export const source = (type = 'test') => ({ type, id: randomUUID() });
