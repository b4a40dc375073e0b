import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { certificateEnd } from '../db/connection/connection.ts';
import type { Replicas } from '../db/replicas/replicas.ts';
import { listenOn } from '../process/listen-on.ts';

const DAY_MS = 86_400_000;

/** The metrics of this process: Node's own, the pool's use, and the end of the certificate that its connections see. */
export function createMetrics(pool: pg.Pool): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'copydesk_db_connections',
    help: 'Database connections by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'awaited' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'copydesk_db_certificate_days_left',
    help: 'Days until the certificate of the database server ends; none without TLS',
    registers: [registry],
    collect() {
      const end = certificateEnd(pool);
      if (end) this.set((end.getTime() - Date.now()) / DAY_MS);
      else this.remove();
    },
  });
  return registry;
}

/** How far replicas are behind, and how many reads they answer. Without replicas, the series have no values. */
export function measureReplicas(replicas: Replicas | null, registry: Registry): void {
  new Gauge({
    name: 'copydesk_replica_behind_seconds',
    help: 'How far a replica of DATABASE_READ_URL is behind the leader; +Inf: it cannot be reached, or over 15 s',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      replicas?.states().forEach(({ behindMs }, at) => {
        const seconds = behindMs === null ? Number.POSITIVE_INFINITY : behindMs / 1_000;
        this.set({ replica: String(at + 1) }, seconds);
      });
    },
  });
  new Counter({
    name: 'copydesk_reads_total',
    help: 'Reads of lists and figures that replicas may answer, by where they were answered',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      if (!replicas) return;
      this.reset();
      this.inc({ from: 'leader' }, replicas.counts.leader);
      this.inc({ from: 'replica' }, replicas.counts.replica);
    },
  });
}

/** Times every request by route, method and status. Routes, not paths: ids would make an endless number of series. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'copydesk_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}

export interface MetricsListener {
  port: number;
  host: string;
  /** The variable that sets the port. */
  variable: string;
  /** Why the process does not do its work; null: it does. */
  problem?: () => string | null;
}

/**
 * Serves /metrics, /health (the process answers) and /ready (it does its work) on a listener of their own: they are not
 * for the public.
 */
export async function serveMetrics(
  registry: Registry,
  { port, host, variable, problem = () => null }: MetricsListener,
): Promise<Server> {
  const answers: Record<string, () => Promise<[status: number, type: string, body: string]>> = {
    '/metrics': async () => [200, registry.contentType, await registry.metrics()],
    '/health': async () => [200, 'application/json', JSON.stringify({ status: 'alive' })],
    '/ready': async () => {
      const found = problem();
      if (found === null) return [200, 'application/json', JSON.stringify({ status: 'ready' })];
      return [503, 'application/json', JSON.stringify({ status: 'not ready', problem: found })];
    },
  };
  const server = createServer(async (request, response) => {
    const answer = answers[request.url?.split('?', 1)[0] ?? ''];
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    try {
      const [status, type, body] = await answer();
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    } catch {
      response.writeHead(500).end();
    }
  });
  await listenOn(server, { port, host }, variable);
  return server;
}
