import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lines are gathered up to this size, or this long: one write per line was measured at a tenth of a request's cost. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 250;
/** Lines beyond this are dropped and counted: the reader is too slow or gone. */
const MOST_WAITING_BYTES = 4_000_000;
/** A write that takes longer has no reader. */
const STUCK_MS = 4_000;
/** A pipe that does not block refuses a write while it is full; that passes within moments. */
const FULL = new Set(['EAGAIN', 'EBUSY']);
const FULL_PAUSE_MS = 50;
/** Other failures may pass too: space is freed on a disk, a reader restarts. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
const STANDARD_OUTPUT = 1;

export interface LogOutput {
  write(line: string): void;
  /** Writes what was gathered at once, unless that fails or the reader is gone. */
  flushSync(): void;
  /** Receives what was lost when the output can be written again. */
  onLost(report: (lost: LostLines) => void): void;
}

/** Lines that were dropped since the last report. */
export interface LostLines {
  lines: number;
  /** Why the output could not be written, as in ENOSPC. Null: nothing read it. */
  code: string | null;
}

/**
 * Standard output, written outside the event loop: a reader that hangs or has ended, and a full disk, hold up
 * neither requests nor the end of the process. No failure is final: waiting lines are retried, and lines
 * beyond the limit are counted. Gathered lines are written when the process exits in order.
 */
export function createLogOutput(): LogOutput {
  // Not pino's destination, nor the library behind it: at exit both write the waiting lines, and retry
  // without an end while the reader hangs or is gone.
  let lines: string[] = [];
  let waitingBytes = 0;
  /** Being written. A line may be written in part, so this is never dropped. */
  let rest: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let failedWith: string | null = null;
  let reportLost = (_lost: LostLines) => {};
  let isRunning = false;
  let writingSince: number | null = null;
  let isTimed = false;

  const take = (): Buffer => {
    const text = lines.join('');
    lines = [];
    waitingBytes = 0;
    return Buffer.from(text);
  };

  const writeSome = (bytes: Buffer) =>
    new Promise<number>((resolve, reject) =>
      write(STANDARD_OUTPUT, bytes, (error, written) => (error ? reject(error) : resolve(written))),
    );
  /** @returns how long to wait before the next attempt; 0 after one that succeeded */
  const attempt = async (lastPauseMs: number): Promise<number> => {
    writingSince = performance.now();
    try {
      const written = await writeSome(rest);
      rest = rest.subarray(written);
      return 0;
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (FULL.has(code)) return FULL_PAUSE_MS;
      failedWith = code;
      return Math.min(Math.max(2 * lastPauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    } finally {
      writingSince = null;
    }
  };
  const writeWaiting = async () => {
    if (isRunning) return;
    isRunning = true;
    let pauseMs = 0;
    while (rest.length > 0 || lines.length > 0) {
      if (rest.length === 0) rest = take();
      pauseMs = await attempt(pauseMs);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
    }
    isRunning = false;
    if (dropped === 0 && failedWith === null) return;
    const lost = { lines: dropped, code: failedWith };
    dropped = 0;
    failedWith = null;
    reportLost(lost);
  };

  const isStuck = () => writingSince !== null && performance.now() - writingSince > STUCK_MS;
  const flushSync = () => {
    if (isStuck()) return;
    const until = performance.now() + STUCK_MS;
    // A thread is writing the rest, so only newer lines are written here.
    let bytes = writingSince === null ? Buffer.concat([rest, take()]) : take();
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(STANDARD_OUTPUT, bytes));
      } catch (error) {
        const isFull = FULL.has((error as NodeJS.ErrnoException).code ?? '');
        if (!isFull || performance.now() > until) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
      }
    }
    if (writingSince === null) rest = bytes;
    else if (bytes.length > 0) {
      lines.unshift(bytes.toString());
      waitingBytes += bytes.length;
    }
  };
  process.on('exit', () => {
    // A pipe without a reader blocks a thread in its write, and Node would wait for that thread without an
    // end.
    if (isStuck()) process.kill(process.pid, 'SIGKILL');
    flushSync();
  });

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (rest.length + waitingBytes + bytes > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      lines.push(line);
      waitingBytes += bytes;
      if (waitingBytes >= GATHERED_BYTES) void writeWaiting();
      else if (!isTimed) {
        isTimed = true;
        setTimeout(() => {
          isTimed = false;
          void writeWaiting();
        }, GATHERED_MS).unref();
      }
    },
    flushSync,
    onLost(report) {
      reportLost = report;
    },
  };
}
