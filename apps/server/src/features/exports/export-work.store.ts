import type { SelectedRows } from '@copydesk/contract/exports';
import type { Scope } from '@copydesk/domain/access';
import { EXPORT_ROW_DAYS, type ExportList, type ExportReason } from '@copydesk/domain/exports';
import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { deleteInBatches } from '../../platform/db/delete-in-batches.ts';
import { dueRows, type Held } from '../../platform/work/due-rows.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import type { Texts } from './exports.store.ts';

const WORK = dueRows({ table: 'export', due: null });
const DAY_MS = 86_400_000;

/** An export that one worker writes. */
export interface HeldExport extends Held {
  userId: string;
  list: ExportList;
  params: Texts;
  query: Texts;
  selected: SelectedRows | null;
  organizationId: string | null;
  attempts: number;
}

/**
 * Takes the export that has waited longest, and deletes parts that an earlier worker wrote, in one statement.
 */
export async function claimExport(tx: WriteTx, leaseMs: number): Promise<HeldExport | null> {
  const [taken] = await WORK.claim<HeldExport>(tx, {
    at: null,
    leaseMs,
    pick: sql`SELECT e.id FROM export e WHERE e.state IN ('waiting', 'running') AND ${WORK.isFree('e', null)}
      ORDER BY e.created_at, e.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    also: sql`DELETE FROM export_part p USING free WHERE p.export_id = free.id`,
    set: sql`state = 'running', rows = 0, attempts = r.attempts + 1`,
    returning: sql`r.user_id AS "userId", r.list, r.params, r.query, r.selected, r.organization_id AS "organizationId", r.attempts`,
  });
  return taken ?? null;
}

/** Each of them is refused once another worker has taken the export, or its person has deleted it. */
export const keepExport = (tx: WriteTx, held: HeldExport, leaseMs: number, rows: number | null) =>
  WORK.renew(tx, held, { at: null, leaseMs, ...(rows === null ? {} : { set: sql`rows = ${rows}` }) });

export const expectRows = (tx: WriteTx, held: HeldExport, leaseMs: number, expected: number | null) =>
  WORK.renew(tx, held, { at: null, leaseMs, set: sql`rows_expected = ${expected}` });

/** Renewing locks the row until the end of the transaction: no other worker takes it before the part. */
export async function addPart(
  tx: WriteTx,
  held: HeldExport,
  leaseMs: number,
  { number, bytes }: { number: number; bytes: Buffer },
): Promise<boolean> {
  if (!(await WORK.renew(tx, held, { at: null, leaseMs }))) return false;
  await sql`INSERT INTO export_part (export_id, number, bytes) VALUES (${held.id}, ${number}, ${bytes})`.execute(
    tx.sql,
  );
  return true;
}

interface Written {
  rows: number;
  bytes: number;
  sha256: string;
  parts: number;
  scope: Scope;
  at: Date;
  expiresAt: Date;
}

export function finishExport(
  tx: WriteTx,
  held: HeldExport,
  { rows, bytes, sha256, parts, scope, at, expiresAt }: Written,
): Promise<boolean> {
  const providerIds = scope.kind === 'all' ? [] : [...scope.providerIds];
  return WORK.finish(tx, held, {
    set: sql`state = 'ready', rows = ${rows}, bytes = ${bytes}, sha256 = ${sha256}, parts = ${parts},
      sees_all = ${scope.kind === 'all'}, provider_ids = ${providerIds}::uuid[], finished_at = ${at},
      expires_at = ${expiresAt}`,
  });
}

/** Ends an export without a file. */
export async function failExport(
  tx: WriteTx,
  held: HeldExport,
  { reason, at }: { reason: ExportReason; at: Date },
): Promise<boolean> {
  const isHeld = await WORK.finish(tx, held, {
    set: sql`state = 'failed', reason = ${reason}, finished_at = ${at}`,
  });
  if (isHeld) await sql`DELETE FROM export_part WHERE export_id = ${held.id}`.execute(tx.sql);
  return isHeld;
}

/** Another worker begins it again; this attempt does not count. */
export const giveExportBack = (tx: WriteTx, held: HeldExport) =>
  WORK.finish(tx, held, { set: sql`state = 'waiting', rows = 0, attempts = greatest(attempts - 1, 0)` });

/** Parts of one transaction: 50 MB. */
const PARTS_AT_ONCE = 200;

/** Removes files that have expired, and what is too old for the list. @returns the number of deleted rows */
export async function pruneExports({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const at = now();
  const before = new Date(at.getTime() - EXPORT_ROW_DAYS * DAY_MS);
  const deleted = (statement: (limit: number) => ReturnType<typeof sql>) =>
    deleteInBatches((limit) =>
      db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) =>
        Number((await statement(limit).execute(tx.sql)).numAffectedRows ?? 0n),
      ),
    );
  const parts = await deleted(
    (limit) => sql`
      DELETE FROM export_part WHERE ctid = ANY (ARRAY(
        SELECT p.ctid FROM export_part p JOIN export e ON e.id = p.export_id WHERE e.expires_at <= ${at}
        LIMIT ${Math.min(limit, PARTS_AT_ONCE)}))`,
  );
  const rows = await deleted(
    (limit) => sql`
      DELETE FROM export WHERE ctid = ANY (ARRAY(
        SELECT e.ctid FROM export e WHERE e.created_at < ${before} LIMIT ${limit}))`,
  );
  return parts + rows;
}
