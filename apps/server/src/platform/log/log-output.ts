import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lines are gathered up to this size, or this long: one write per line was measured at a tenth of a request's cost. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 250;
/** Lines beyond this would wait in vain for a reader: they are dropped, and counted. */
const MOST_WAITING_BYTES = 4_000_000;
/** A write that takes longer has no reader. */
const STUCK_MS = 4_000;
/** A pipe that does not block refuses a write while it is full. */
const FULL = new Set(['EAGAIN', 'EBUSY']);
const FULL_PAUSE_MS = 50;
const STANDARD_OUTPUT = 1;

export interface LogOutput {
  write(line: string): void;
  /** Writes what was gathered at once, unless the reader is gone. */
  flushSync(): void;
  /** Receives the number of dropped lines when the output is read again. */
  onDropped(report: (lines: number) => void): void;
}

/**
 * Standard output, written beside the event loop: a program that has stopped reading the log, or has ended, holds up
 * neither requests nor the end of the process. Gathered lines are written when the process exits in order.
 */
export function createLogOutput(): LogOutput {
  // Not pino's destination, nor the library behind it: both write what waits when the process exits, and try without an
  // end while the reader hangs or is gone.
  let lines: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let reportDropped = (_lines: number) => {};
  let isClosed = false;
  let writingSince: number | null = null;
  let isTimed = false;

  const take = (): Buffer => {
    const text = lines.join('');
    lines = [];
    waitingBytes = 0;
    return Buffer.from(text);
  };
  const close = () => {
    // Without a reader there is nowhere to report it.
    isClosed = true;
    take();
  };

  const writeSome = (bytes: Buffer) =>
    new Promise<number>((resolve, reject) =>
      write(STANDARD_OUTPUT, bytes, (error, written) => (error ? reject(error) : resolve(written))),
    );
  const writeWaiting = async () => {
    if (writingSince !== null || isClosed) return;
    try {
      while (lines.length > 0) {
        writingSince = performance.now();
        for (let rest = take(); rest.length > 0; ) {
          const written = await writeSome(rest).catch((error) => {
            if (!FULL.has(error.code)) throw error;
            return sleep(FULL_PAUSE_MS, 0, { ref: false });
          });
          rest = rest.subarray(written);
        }
      }
    } catch {
      close();
    }
    writingSince = null;
    if (dropped === 0 || isClosed) return;
    const count = dropped;
    dropped = 0;
    reportDropped(count);
  };

  const isStuck = () => writingSince !== null && performance.now() - writingSince > STUCK_MS;
  const flushSync = () => {
    if (isClosed || isStuck()) return;
    const until = performance.now() + STUCK_MS;
    for (let rest = take(); rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(STANDARD_OUTPUT, rest));
      } catch (error) {
        const isFull = FULL.has((error as NodeJS.ErrnoException).code ?? '');
        if (!isFull || performance.now() > until) return close();
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
      }
    }
  };
  process.on('exit', () => {
    // A pipe that no one empties blocks a thread in its write, and Node would wait for that thread without an end.
    if (isStuck()) process.kill(process.pid, 'SIGKILL');
    flushSync();
  });

  return {
    write(line) {
      if (isClosed) return;
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > MOST_WAITING_BYTES) {
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
    onDropped(report) {
      reportDropped = report;
    },
  };
}
