import getPort from 'get-port';

/**
 * A port of loopback that nobody listens on at this moment: the chain's program cannot choose one and tell. Below
 * those that systems give to connections by themselves, which may be gone by the time the program listens.
 */
export function findFreePort(): Promise<number> {
  const candidates = Array.from({ length: 20 }, () => 20_000 + Math.floor(Math.random() * 12_000));
  return getPort({ host: '127.0.0.1', port: candidates });
}
