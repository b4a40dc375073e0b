import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of loopback that nobody listens on at this moment: the chain's program cannot choose one and tell. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
