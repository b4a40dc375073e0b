export interface Shutdown {
  /** Aborted as soon as a shutdown is requested. */
  signal: AbortSignal;
  /** Registers a clean-up step; the latest runs first. */
  onStop(undo: () => Promise<void> | void): void;
  /** Requests a shutdown. Only the first request counts: Ctrl-C arrives twice under npm. */
  request(exitCode: number): void;
}

/**
 * Runs `start` and returns the exit code after a shutdown was requested and everything is undone. A running `start` is
 * waited for, so that nothing it still starts is left behind. A failing `start` requests the shutdown itself, after
 * `onFailure` has reported the reason.
 */
export async function runUntilStopped(
  start: (shutdown: Shutdown) => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const controller = new AbortController();
  const undoing: (() => Promise<void> | void)[] = [];
  const { promise: requested, resolve: request } = Promise.withResolvers<number>();
  const shutdown: Shutdown = {
    signal: controller.signal,
    onStop: (undo) => undoing.push(undo),
    request: (exitCode) => {
      controller.abort();
      request(exitCode);
    },
  };
  const undoAll = async () => {
    for (let undo = undoing.pop(); undo; undo = undoing.pop()) await undo();
  };
  const started = start(shutdown).catch((error) => {
    if (!controller.signal.aborted) onFailure(error);
    shutdown.request(1);
  });
  const exitCode = await requested;
  await undoAll();
  await started;
  await undoAll();
  return exitCode;
}
