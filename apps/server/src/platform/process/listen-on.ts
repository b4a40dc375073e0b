import type { Server } from 'node:http';
import { StartError } from './start-error.ts';

const PROBLEMS: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this account',
};
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Turns a failure to listen into one that names the variable of the port, or of the address that it is on. */
export function listenProblem(error: unknown, port: number, variable: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (NO_ADDRESS.has(code))
    return new StartError(`${variable === 'PORT' ? 'HOST' : 'METRICS_HOST'}: is no address of this machine`);
  const problem = PROBLEMS[code];
  return problem
    ? new StartError(`${variable}: port ${port} ${problem}`, { isSetting: code !== 'EADDRINUSE' })
    : error;
}

/** @param variable that set the port @throws StartError */
export function listenOn(
  server: Server,
  { port, host }: { port: number; host: string },
  variable: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, port, variable)));
    server.listen(port, host, resolve);
  });
}
