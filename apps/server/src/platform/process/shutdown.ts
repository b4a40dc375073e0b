import { hurry } from '../db/silence.ts';
import type { Logger } from '../log/log.ts';

/** Connections still open after this long are cut off. */
const DEADLINE_MS = 9_000;

/**
 * Runs `stop` once on a signal, or when the parent process is gone, and then ends the process.
 * @param drainMs time that `stop` takes at least
 */
export function onShutdown(log: Logger, stop: () => Promise<void>, drainMs = 0): void {
  let isStopping = false;
  const shutDown = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'shutting down');
    // A database that does not answer is not waited for.
    setTimeout(hurry, drainMs).unref();
    setTimeout(() => {
      log.error('shutdown took too long');
      process.exit(1);
    }, drainMs + DEADLINE_MS).unref();
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
  // The parent may have ended during our start, before the listener was attached.
  if (process.connected === false) void shutDown('parent gone');
}
