import type { Server } from 'node:http';
import { StartError } from './start-error.ts';

const PROBLEMS: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this account',
  EADDRNOTAVAIL: 'is not on an address of this machine',
};

/** Turns a failure to listen into one that names the variable of the port. */
export function listenProblem(error: unknown, port: number, variable: string): unknown {
  const problem = PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
  return problem ? new StartError(`${variable}: port ${port} ${problem}`) : error;
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
