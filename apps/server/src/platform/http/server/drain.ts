import type { Server, ServerResponse } from 'node:http';

/** In-flight requests get this long to end; by then a load balancer has stopped sending. */
const PATIENCE_MS = 8_000;
const CHECK_EVERY_MS = 20;

/**
 * Follows the requests in flight. It does not count connections: browsers open some that never carry a request, and
 * waiting for those would take a minute.
 */
export function trackRequests(server: Server) {
  const inFlight = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });
  return {
    /**
     * Whether more than `count` requests wait for the beginning of their answer. Not counted: streams and
     * exports under way, and requests whose body has not arrived, because they wait for their sender.
     */
    areMoreWaiting(count: number): boolean {
      if (inFlight.size <= count) return false;
      let waiting = 0;
      for (const { headersSent, req } of inFlight) if (!headersSent && req.complete) waiting += 1;
      return waiting > count;
    },
    /** Waits until all are answered. */
    async drain(): Promise<void> {
      const deadline = performance.now() + PATIENCE_MS;
      while (inFlight.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    },
  };
}
