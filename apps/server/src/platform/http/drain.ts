import type { Server } from 'node:http';

/** In-flight requests get this long to end; by then a load balancer has stopped sending. */
const PATIENCE_MS = 8_000;
const CHECK_EVERY_MS = 20;

/**
 * Counts the requests in flight and waits for them. It does not count connections: browsers open some that never carry
 * a request, and waiting for those would take a minute.
 */
export function trackRequests(server: Server): { drain: () => Promise<void> } {
  let inFlight = 0;
  server.on('request', (_request, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
  });
  return {
    async drain() {
      const deadline = performance.now() + PATIENCE_MS;
      while (inFlight > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    },
  };
}
