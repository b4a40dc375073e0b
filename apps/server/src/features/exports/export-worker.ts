import { createHash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { exportEntry, parseExport } from '@copydesk/contract/exports';
import { scopeContains } from '@copydesk/domain/access';
import { EXPORT_FILE_DAYS, type ExportReason } from '@copydesk/domain/exports';
import { isStatementTimeout } from '../../platform/db/connection/connection.ts';
import { isDatabaseGone } from '../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { type StreamOptions, streamRows } from '../../platform/db/stream.ts';
import { csvFile } from '../../platform/http/csv.ts';
import { countRows, type ExportedLists } from '../../platform/http/exported-list.ts';
import { readFlags, presentScope as scopeNow } from '../../platform/identity/present-scope.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { Refusal } from '../../platform/refusal.ts';
import { startDueLoop } from '../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import type { HeldExport } from './export-work.store.ts';
import * as store from './export-work.store.ts';

/** Compressed; some thousand rows. Memory holds a few parts, however long the list is. */
const PART_BYTES = 256 * 1024;
/** An export that was begun this often without an end is given up: something in it kills its workers. */
const MAX_ATTEMPTS = 3;
const DAY_MS = 86_400_000;

/** Why a turn ends without a file and without a failure. */
class Ended extends Error {}
/** Why an export fails. */
class Failed extends Error {
  readonly reason: ExportReason;
  constructor(reason: ExportReason) {
    super(reason);
    this.reason = reason;
  }
}

export interface ExportWorkerDeps {
  db: Database;
  stream: StreamOptions;
  lists: ExportedLists;
  log: Logger;
  now: () => Date;
  /** Interval between looks for work without a wake-up. */
  everyMs: number;
  /** After this long, another worker takes over from one that died. */
  leaseMs: number;
  /** How often the progress is written, and the lease renewed. */
  keepMs: number;
}

/** Writes exports, one at a time. */
export function startExportWorker(deps: ExportWorkerDeps): WorkLoop {
  const { db, log, everyMs, leaseMs, keepMs } = deps;
  const stopping = new AbortController();
  const progress = new WeakMap<HeldExport, Progress>();
  const write = <T>(work: (tx: WriteTx) => Promise<T>) => db.write(WHOLE_SCOPE, WORKER_ACTOR, work);

  const loop = startDueLoop<HeldExport>({
    name: 'exports',
    everyMs,
    log,
    async claim(underWay) {
      if (underWay > 0 || stopping.signal.aborted) return { rows: [] };
      const held = await write((tx) => store.claimExport(tx, leaseMs));
      return { rows: held ? [held] : [], goesOn: false };
    },
    async work(held) {
      const ended = new AbortController();
      const own = { rows: () => 0, written: 0, end: () => ended.abort() };
      progress.set(held, own);
      const signal = AbortSignal.any([ended.signal, stopping.signal]);
      try {
        await writeExport(deps, held, { own, signal });
      } catch (error) {
        await conclude(error, held, signal);
      }
    },
    keep: {
      everyMs: keepMs,
      async renew(held) {
        const own = progress.get(held);
        if (!own) return;
        const rows = own.rows();
        const isNew = rows !== own.written;
        own.written = rows;
        if (!(await write((tx) => store.keepExport(tx, held, leaseMs, isNew ? rows : null)))) own.end();
      },
    },
    describe: ({ id, list }) => ({ export: id, list }),
  });

  async function conclude(error: unknown, held: HeldExport, signal: AbortSignal): Promise<void> {
    if (stopping.signal.aborted) {
      await write((tx) => store.giveExportBack(tx, held));
      return;
    }
    if (signal.aborted || error instanceof Ended) {
      log.info({ export: held.id }, 'an export was cancelled, or another worker has taken it over');
      return;
    }
    const reason = reasonOf(error, held);
    if (reason === null) throw error;
    if (reason === 'failed') log.error({ err: error, export: held.id }, 'an export is given up');
    await write((tx) => store.failExport(tx, held, { reason, at: deps.now() }));
  }

  return {
    wake: loop.wake,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

interface Progress {
  rows: () => number;
  /** As last stored. */
  written: number;
  end: () => void;
}

/** Null: a fault that may pass. The export is due again when its lease ends. */
function reasonOf(error: unknown, { attempts }: HeldExport): ExportReason | null {
  if (error instanceof Failed) return error.reason;
  if (error instanceof Refusal && error.code === 'not_found') return 'not_found';
  if (isStatementTimeout(error)) return 'too_slow';
  if (isDatabaseGone(error)) return null;
  return attempts >= MAX_ATTEMPTS ? 'failed' : null;
}

/** Writes the whole file, with one statement as the snapshot of its rows. */
async function writeExport(
  { db, stream, lists, leaseMs, now }: ExportWorkerDeps,
  held: HeldExport,
  { own, signal }: { own: Progress; signal: AbortSignal },
): Promise<void> {
  const write = async (work: (tx: WriteTx) => Promise<boolean>) => {
    // A database too busy to store a part does not mean that the list is too slow.
    const isHeld = await db.write(WHOLE_SCOPE, WORKER_ACTOR, work).catch((error) => {
      throw isStatementTimeout(error) ? new Error('an export could not be kept', { cause: error }) : error;
    });
    if (!isHeld) throw new Ended();
  };
  const presentScope = async () => {
    const flags = await db.read(WHOLE_SCOPE, (tx) => readFlags(tx, held.userId));
    return scopeNow(flags, exportEntry(held.list), held.organizationId);
  };
  if (held.attempts > MAX_ATTEMPTS) throw new Failed('failed');
  const scope = await presentScope();
  if (!scope) throw new Failed('access_changed');
  const list = lists[held.list];
  const asked = parsed(held);
  const prepared = await db.read(scope, (tx) => list.prepare(tx, asked as never, held.selected));
  const expected = await countRows(db, scope, prepared);
  await write((tx) => store.expectRows(tx, held, leaseMs, expected));

  const file = csvFile(await streamRows(stream, scope, prepared.statement), list.columns);
  own.rows = file.rows;
  const whole = measured();
  const zip = createGzip();
  pipeline(file.bytes, whole.through, zip, () => {});
  const stop = () => zip.destroy(new Ended());
  signal.addEventListener('abort', stop);
  let parts = 0;
  let gathered: Buffer[] = [];
  let size = 0;
  const addPart = async () => {
    const part = { number: parts, bytes: Buffer.concat(gathered) };
    parts += 1;
    gathered = [];
    size = 0;
    await write((tx) => store.addPart(tx, held, leaseMs, part));
  };
  try {
    if (signal.aborted) throw new Ended();
    for await (const chunk of zip as AsyncIterable<Buffer>) {
      gathered.push(chunk);
      size += chunk.length;
      if (size >= PART_BYTES) await addPart();
    }
    if (size > 0) await addPart();
  } finally {
    signal.removeEventListener('abort', stop);
    file.bytes.destroy();
  }

  // A person who lost rights during the export gets no file; the download checks the rights again.
  const present = await presentScope();
  if (!present || !scopeContains(present, scope)) throw new Failed('access_changed');
  const at = now();
  const expiresAt = new Date(at.getTime() + EXPORT_FILE_DAYS * DAY_MS);
  const { bytes, sha256 } = whole.end();
  await write((tx) =>
    store.finishExport(tx, held, { rows: file.rows(), bytes, sha256, parts, scope, at, expiresAt }),
  );
}

/** This version may know other filters than the one that stored them. */
function parsed({ list, params, query }: HeldExport) {
  try {
    return parseExport(list, { params, query });
  } catch {
    throw new Failed('outdated');
  }
}

/** Passes bytes on, and knows their number and hash in the end. */
function measured() {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, end: () => ({ bytes, sha256: hash.digest('hex') }) };
}
