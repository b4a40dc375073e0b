import { createServer } from 'node:net';
import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** A free port on loopback: `preferred` when it is free, any other otherwise. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred && (await tryToListen(preferred, LOOPBACK)) === null) return preferred;
  // Below the ephemeral range: the system may give those ports to connections before the caller listens.
  const candidates = Array.from({ length: 20 }, () => 20_000 + Math.floor(Math.random() * 12_000));
  return getPort({ host: LOOPBACK, port: candidates });
}

/** Listens briefly: null when it works, the code of the failure otherwise. */
export function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
