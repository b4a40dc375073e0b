import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, tryToListen } from '../platform/process/free-port.ts';
import { StartError } from '../platform/process/start-error.ts';

/**
 * Checks that a process, usually the API, will be able to listen; returns the port (0 becomes a free one).
 * @param patienceMs how long to wait for a busy port, which the last run may still be releasing
 * @param variable the setting that chooses the port
 */
export async function requirePort(
  port: number,
  host: string,
  { patienceMs, variable = 'PORT' }: { patienceMs: number; variable?: string },
): Promise<number> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const candidate = port === 0 ? await findFreePort() : port;
    const result = await tryToListen(candidate, host);
    if (result === null) return candidate;
    if (result !== 'EADDRINUSE') throw new StartError(explain(result, port, host, variable));
    if (Date.now() > deadline) {
      throw new StartError(
        `Port ${port} is in use by another program. Choose another one: ${variable}=${port === 65_535 ? 3000 : port + 1} npm start`,
      );
    }
    await sleep(100);
  }
}

function explain(code: string, port: number, host: string, variable: string): string {
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this user has. Choose one above 1023: ${variable}=3000 npm start`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST is ${host}, which is not an address of this machine.`;
  return `Port ${port} on ${host} cannot be listened on (${code}).`;
}
