import type { CallParsed } from '@copydesk/contract';
import type { EXPORT_CALLS, ExportCall, SelectedRows } from '@copydesk/contract/exports';
import type { Scope } from '@copydesk/domain/access';
import type { ExportList } from '@copydesk/domain/exports';
import type { FastifyReply } from 'fastify';
import type { CompiledQuery } from 'kysely';
import { isStatementTimeout } from '../db/connection/connection.ts';
import type { Database, Tx } from '../db/database.ts';
import { type StreamOptions, streamRows } from '../db/stream.ts';
import { type CsvColumns, sendCsv } from './csv.ts';
import type { STREAMED } from './handlers.ts';

/** A list as a file, for its own call and for exports in the background. */
export interface ExportedList<K extends ExportCall> {
  /** The beginning of the file's name. */
  name: string;
  columns: CsvColumns;
  /**
   * Looks up what the statement needs.
   * @param selected the rows that the file has of those that match; null: all
   * @throws Refusal `not_found` where what the list belongs to is out of scope
   */
  prepare(tx: Tx, asked: CallParsed<K>, selected: SelectedRows | null): Promise<PreparedList>;
}

/** Every list that can be exported. */
export type ExportedLists = { readonly [L in ExportList]: ExportedList<(typeof EXPORT_CALLS)[L]> };

/** Both are of the scope of their transaction, which has to be that of `prepare`. */
export interface PreparedList {
  /** Null: more than are counted. */
  count(tx: Tx): Promise<number | null>;
  statement(tx: Tx): CompiledQuery;
}

/** The number of rows, only to estimate how long a file takes; null when counting takes too long. */
export async function countRows(db: Database, scope: Scope, { count }: PreparedList): Promise<number | null> {
  try {
    return await db.read(scope, count);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

export const fileName = (name: string, at: Date): string => `${name}-${at.toISOString().slice(0, 10)}.csv`;

/** Streams a list at once. */
export async function sendList<K extends ExportCall>(
  { db, stream, now }: { db: Database; stream: StreamOptions; now: () => Date },
  { name, columns, prepare }: ExportedList<K>,
  { scope, reply, ...asked }: CallParsed<K> & { scope: Scope; reply: FastifyReply },
): Promise<typeof STREAMED> {
  const { statement } = await db.read(scope, (tx) => prepare(tx, asked as unknown as CallParsed<K>, null));
  const rows = await streamRows(stream, scope, statement);
  return sendCsv(reply, rows, { filename: fileName(name, now()), columns });
}
