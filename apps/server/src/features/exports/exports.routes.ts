import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Export, exportEntry, parseExport } from '@copydesk/contract/exports';
import { type Flags, scopeContains } from '@copydesk/domain/access';
import { MAX_KEPT_EXPORTS, MAX_UNFINISHED_EXPORTS } from '@copydesk/domain/exports';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { nameFile } from '../../platform/http/csv.ts';
import { countRows, type ExportedLists, fileName } from '../../platform/http/exported-list.ts';
import { type Handlers, STREAMED } from '../../platform/http/handlers.ts';
import { ownPerson } from '../../platform/http/own-person.ts';
import type { Person, Principal } from '../../platform/identity/identity.ts';
import { presentScope, readFlags, requireAccess } from '../../platform/identity/present-scope.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './exports.store.ts';

type ExportCalls = `${string} /api/exports${string}`;

const OF_OTHER_PROVIDERS =
  'This file has rows of other providers than the one you work in: work in all of yours, or export again';

/** Exports in the background: what a person has asked for, and the files. */
export function createExportRoutes({
  db,
  lists,
  now,
}: {
  db: Database;
  lists: ExportedLists;
  now: () => Date;
}): Pick<Handlers, Extract<keyof Handlers, ExportCalls>> {
  const listed = ({ organization }: Person, flags: Flags | null, row: store.OwnExport): Export => {
    const { parts: _, sees_all: __, provider_ids: ___, ...shown } = row;
    return { ...shown, is_covered: isCovered(row, flags, organization?.id ?? null) };
  };

  return {
    'GET /api/exports': async ({ principal, scope, actor }) => {
      const person = own(principal);
      const rows = await db.read(scope, (tx) => store.listExports(tx, person.id), actor);
      return { success: true, data: rows.map((row) => listed(person, person.flags, row)) };
    },

    'POST /api/exports': async ({ principal, scope, actor, body }) => {
      const person = own(principal);
      const { list, params = {}, query = {}, selected = null } = body;
      requireAccess(person.flags, exportEntry(list));
      // What is out of scope is refused now and not by a worker.
      const prepared = await db.read(scope, (tx) =>
        lists[list].prepare(tx, parseExport(list, body) as never, selected),
      );
      const expected = await countRows(db, scope, prepared);
      const row = await db.write(scope, actor, async (tx) => {
        const { unfinished, kept } = await store.lockExports(tx, now());
        if (unfinished >= MAX_UNFINISHED_EXPORTS) throw new Refusal('exports_unfinished');
        if (kept >= MAX_KEPT_EXPORTS) throw new Refusal('exports_kept');
        const organizationId = person.organization?.id ?? null;
        const stored = await store.insertExport(tx, {
          list,
          params,
          query,
          selected,
          organizationId,
          expected,
          at: now(),
        });
        tx.audit({
          action: 'export.created',
          target: { kind: 'export', id: stored.id },
          after: { list, ...params, ...query, ...(selected && { is_selection: true }) },
        });
        return stored;
      });
      return { success: true, data: listed(person, person.flags, row) };
    },

    'GET /api/exports/{id}/file': async ({ principal, scope, actor, params, reply }) => {
      const person = own(principal);
      const row = await db.read(scope, (tx) => store.findExport(tx, person.id, params.id), actor);
      if (!row) throw new Refusal('not_found');
      const { state, finished_at, expires_at, bytes, parts } = row;
      if (state !== 'ready' || !finished_at || !expires_at || parts === null)
        throw new Refusal('export_not_ready');
      if (new Date(expires_at) <= now()) throw new Refusal('export_expired');
      // Read from the database: a process's cached rights may be some seconds old.
      const flags = await db.read(WHOLE_SCOPE, (tx) => readFlags(tx, person.id));
      if (!isCovered(row, flags, person.organization?.id ?? null))
        throw new Refusal(
          'export_access_changed',
          person.organization && isCovered(row, flags, null) ? { message: OF_OTHER_PROVIDERS } : {},
        );
      const part = (number: number) => db.read(scope, (tx) => store.readPart(tx, params.id, number), actor);
      nameFile(reply, fileName(lists[row.list].name, new Date(finished_at)));
      reply.header('content-length', String(bytes)).header('cache-control', 'no-store');
      const file = createGunzip();
      pipeline(Readable.from(partsOf(parts, part)), file, () => {});
      reply.send(file);
      return STREAMED;
    },

    'DELETE /api/exports/{id}': async ({ principal, scope, actor, params }) => {
      own(principal);
      await db.write(scope, actor, async (tx) => {
        const gone = await store.deleteExport(tx, params.id);
        if (!gone) throw new Refusal('not_found');
        tx.audit({ action: 'export.deleted', target: { kind: 'export', id: params.id }, before: gone });
      });
      return { success: true };
    },
  };
}

/** Whether rights still cover the rows of a file; of an export without one, whether it may be made. */
function isCovered(row: store.OwnExport, flags: Flags | null, organizationId: string | null): boolean {
  const present = presentScope(flags, exportEntry(row.list), organizationId);
  const made = store.scopeOfFile(row);
  return present !== null && (made === null || scopeContains(present, made));
}

/** One at a time and in order: a slow reader holds neither a connection nor the whole file. */
async function* partsOf(parts: number, read: (number: number) => Promise<Buffer | null>) {
  for (let number = 0; number < parts; number += 1) {
    const bytes = await read(number);
    if (!bytes) throw new Error('the file was removed while it was sent');
    yield bytes;
  }
}

const own = (principal: Principal) => ownPerson(principal, 'Exports are shown to the person alone');
