import sonicBoom from 'sonic-boom';

/** Lines are gathered up to this size, or this long: one write per line was measured at a tenth of a request's cost. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 250;
/** Lines beyond this wait for a reader in vain: they are dropped, and counted. */
const MOST_WAITING_BYTES = 4_000_000;
const LOOK_EVERY_MS = 1_000;
/** Looks in a row that find the same write unfinished, after which the reader counts as gone. */
const MOST_MISSED = 4;

export interface LogOutput {
  write(line: string): void;
  /** Writes what was gathered at once, unless the reader is gone. */
  flushSync(): void;
  /** Receives the number of dropped lines when the output is read again. */
  onDropped(report: (lines: number) => void): void;
}

/**
 * Standard output, written beside the event loop: a collector of logs that hangs holds up neither requests nor the end of
 * the process. Gathered lines are written when the process exits in order.
 */
export function createLogOutput(): LogOutput {
  // Not pino's own destination, which writes what waits whenever the process exits, however long that takes.
  const output = new sonicBoom.SonicBoom({
    fd: 1,
    sync: false,
    minLength: GATHERED_BYTES,
    maxLength: MOST_WAITING_BYTES,
    periodicFlush: GATHERED_MS,
  });
  // Without a reader there is nowhere to report it.
  let isClosed = false;
  output.on('error', () => {
    isClosed = true;
  });

  let isWriting = false;
  let missed = 0;
  setInterval(() => {
    if (isWriting) {
      missed += 1;
      return;
    }
    isWriting = true;
    output.flush(() => {
      isWriting = false;
      missed = 0;
    });
  }, LOOK_EVERY_MS).unref();

  const isStuck = () => missed >= MOST_MISSED;
  const flushSync = () => {
    if (isClosed || isStuck()) return;
    try {
      output.flushSync();
    } catch {
      isClosed = true;
    }
  };
  process.on('exit', () => {
    // A pipe that no one empties blocks a thread in its write, and Node would wait for that thread without an end.
    if (isStuck()) process.kill(process.pid, 'SIGKILL');
    flushSync();
  });

  return {
    write(line) {
      if (!isClosed) output.write(line);
    },
    flushSync,
    onDropped(report) {
      let dropped = 0;
      output.on('drop', () => {
        dropped += 1;
      });
      output.on('drain', () => {
        if (dropped === 0) return;
        const lines = dropped;
        dropped = 0;
        report(lines);
      });
    },
  };
}
