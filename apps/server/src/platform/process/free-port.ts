import { createServer } from 'node:net';
import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** A port that is free on loopback: `preferred` when it is, any other one otherwise. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred && (await tryToListen(preferred, LOOPBACK)) === null) return preferred;
  // Below those that systems give to connections by themselves, which may be gone by the time somebody listens.
  const candidates = Array.from({ length: 20 }, () => 20_000 + Math.floor(Math.random() * 12_000));
  return getPort({ host: LOOPBACK, port: candidates });
}

/** Listens for a moment: null when it works, the code of the failure otherwise. */
export function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
