import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves one simulator.
 * @param answer answers a request, or leaves it without an answer
 * @param port 0: any free one
 * @returns its address, and its end, which closes what is open as well
 */
export async function serve(
  answer: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
  { port = 0, host = '127.0.0.1' }: { port?: number | undefined; host?: string } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => {
      // The client aborted the request; any other error is a bug of the simulator.
      if (!incoming.destroyed || incoming.complete) process.emitWarning(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
