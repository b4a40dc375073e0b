import type { Logger } from '../log/log.ts';

/** What is still open after this long is cut off. */
const DEADLINE_MS = 9_000;

/**
 * Runs `stop` once when the process is told to end, by a signal or because the parent that started it is gone,
 * and ends the process when it is done.
 */
export function onShutdown(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const shutDown = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error('shutdown took too long');
      process.exit(1);
    }, DEADLINE_MS).unref();
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  process.on('disconnect', () => void shutDown('parent gone'));
  // The parent may have ended while we were starting, before anybody listened.
  if (process.connected === false) void shutDown('parent gone');
}
