import { execFile } from 'node:child_process';

/** What systemd told a service of type `notify`. */
export interface ServiceManager {
  /** NOTIFY_SOCKET. */
  socket: string;
  /** It restarts the service after this time without a sign of life; null: it does not watch. */
  watchdogMs: number | null;
}

const PROGRAM = 'systemd-notify';

/**
 * Tells systemd that the service is ready, and from then on that it lives: a process whose event loop hangs sends
 * nothing, and is restarted. Node has no datagrams for Unix sockets, so systemd's own program sends them.
 * @param program stands in for it in tests
 */
export function reportToServiceManager({ socket, watchdogMs }: ServiceManager, program = PROGRAM): void {
  const send = (message: string) =>
    execFile(program, [message], { env: { NOTIFY_SOCKET: socket, PATH: '/usr/bin:/bin' } }, () => {
      // If the program fails, systemd misses the sign of life, restarts the service, and logs it.
    });
  send('READY=1');
  // Twice in the time that systemd allows, as it recommends.
  if (watchdogMs !== null) setInterval(() => send('WATCHDOG=1'), watchdogMs / 2).unref();
}
