import getPort from 'get-port';

/** A port that is free on loopback: `preferred` when it is, any other one otherwise. */
export function findFreePort(preferred?: number): Promise<number> {
  const candidates = preferred ? [preferred, ...lastingPorts()] : lastingPorts();
  return getPort({ host: '127.0.0.1', port: candidates });
}

/**
 * Some ports below those that systems give to connections by themselves: one of those may be gone by the time
 * somebody listens on it.
 */
const lastingPorts = () => Array.from({ length: 20 }, () => 20_000 + Math.floor(Math.random() * 12_000));
