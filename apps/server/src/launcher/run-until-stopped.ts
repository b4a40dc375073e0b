import { StartError } from '../platform/process/start-error.ts';

export interface Shutdown {
  /** Aborted as soon as a shutdown is requested. */
  signal: AbortSignal;
  /** Registers a clean-up step; the latest runs first. */
  onStop(undo: () => Promise<void>): void;
  /** Requests a shutdown. Only the first request counts: Ctrl-C arrives twice under npm. */
  request(exitCode: number): void;
}

const CHECK_PARENT_EVERY_MS = 500;

/**
 * Runs `start` until a signal or a request ends it, and returns the exit code once everything is undone. A running
 * `start` is waited for, so that nothing it still starts is left behind. One that fails requests the shutdown, after
 * `report` has said why.
 * @param isBelowNpm whether the end of the parent is a request too
 */
export async function runUntilStopped(
  start: (shutdown: Shutdown) => Promise<void>,
  { report, isBelowNpm }: { report: (line: string) => void; isBelowNpm: boolean },
): Promise<number> {
  const controller = new AbortController();
  const undoing: (() => Promise<void>)[] = [];
  const { promise: requested, resolve } = Promise.withResolvers<number>();
  const request = (exitCode: number) => {
    controller.abort();
    resolve(exitCode);
  };
  const fail = (error: unknown) => {
    if (!controller.signal.aborted) report(`\n${describe(error)}\n`);
    request(1);
  };
  const stop = () => {
    if (!controller.signal.aborted) report('Stopping ...');
    request(0);
  };
  const undoAll = async () => {
    for (let undo = undoing.pop(); undo; undo = undoing.pop()) await undo();
  };
  // A connection may break outside any of our calls, as when the database stops during a migration.
  process.on('uncaughtException', fail);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  // A shell between npm and us may die of a signal without passing it on, and a killed npm sends none.
  const parent = process.ppid;
  if (isBelowNpm) setInterval(() => process.ppid !== parent && stop(), CHECK_PARENT_EVERY_MS).unref();

  const onStop = (undo: () => Promise<void>) => void undoing.push(undo);
  const started = start({ signal: controller.signal, onStop, request }).catch(fail);
  const exitCode = await requested;
  await undoAll();
  await started;
  await undoAll();
  return exitCode;
}

/** A reason that a person can mend has no stack. */
function describe(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  return error instanceof StartError ? error.message : error.stack;
}
