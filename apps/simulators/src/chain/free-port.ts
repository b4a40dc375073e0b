import getPort from 'get-port';

/**
 * A free port on loopback: the chain's program cannot choose one and report it. Below the ephemeral range: the system
 * may give those ports to connections before the program listens.
 */
export function findFreePort(): Promise<number> {
  const candidates = Array.from({ length: 20 }, () => 20_000 + Math.floor(Math.random() * 12_000));
  return getPort({ host: '127.0.0.1', port: candidates });
}
