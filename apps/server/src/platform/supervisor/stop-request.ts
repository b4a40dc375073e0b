/**
 * Calls `stop` once when this process is asked to end: by a signal, or because the supervisor that started it is
 * gone. Exits with 0 when `stop` is done, with 1 when it fails. For `bin/api.ts` and `bin/worker.ts`.
 */
export function onStopRequest(stop: () => Promise<void>): void {
  let isStopping = false;
  const begin = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  // Only a child with an IPC channel ever gets this: started by hand, the process lives on its own.
  process.on('disconnect', begin);
}
