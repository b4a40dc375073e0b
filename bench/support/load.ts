import autocannon from 'autocannon';

/** Times and rates count successful answers only: a quick refusal would pass for a fast answer. */
export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  failures: number;
}

export interface LoadOptions {
  url: string;
  /** Paths to request in turn; each client starts at a different one. */
  paths: string[];
  token: string;
  clients: number;
  seconds: number;
}

/** This many clients, each of which sends its next request after an answer, over keep-alive connections. */
export async function load({ url, paths, token, clients, seconds }: LoadOptions): Promise<LoadResult> {
  const times: number[] = [];
  let failures = 0;
  const requests = paths.map((path) => ({
    method: 'GET' as const,
    path,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  }));
  let next = 0;
  const setupClient = (client: autocannon.Client) => {
    const first = next++ % requests.length;
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
  };
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      { url, connections: clients, duration: seconds, requests, timeout: 30, setupClient },
      (error) => (error ? reject(error) : resolve()),
    );
    run.on('response', (_client, statusCode, _bytes, responseTime) => {
      if (statusCode === 200) times.push(responseTime);
      else failures += 1;
    });
  });
  const elapsed = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requestsPerSecond: times.length / elapsed,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    failures,
  };
}

/** A result as one cell of the report. */
export function latency({ requestsPerSecond, p50Ms, p95Ms, p99Ms, failures }: LoadResult): string {
  return `p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms, ${requestsPerSecond.toFixed(0)} a second${failed(failures)}`;
}

/** The cell's text for refused requests: empty when there are none. */
export function failed(failures: number): string {
  return failures > 0 ? `, ${failures} FAILED` : '';
}
