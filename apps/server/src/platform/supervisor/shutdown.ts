export interface Shutdown {
  /** Aborted as soon as the end is asked for. */
  signal: AbortSignal;
  /** Registers what has to be undone; the latest is undone first. */
  onStop(undo: () => Promise<void> | void): void;
  /** Asks for the end. Only the first request counts: Ctrl-C arrives twice under npm. */
  request(exitCode: number): void;
}

/**
 * Runs `start` and answers the exit code once the end was asked for and everything is undone. What `start` is in
 * the middle of is waited for, so that nothing it still brings up is left behind. A failing `start` asks for the
 * end itself, after `onFailure` has said why.
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
