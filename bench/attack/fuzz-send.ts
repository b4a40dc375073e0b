import { Agent, request as httpRequest } from 'node:http';
import type { FuzzAnswer } from './fuzz-check.ts';
import type { FuzzRequest } from './fuzz-requests.ts';

const PATIENCE_MS = 60_000;

/** Sends requests as they are, over connections that are kept. */
export function createSender(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: ({ method, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(
          {
            host: '127.0.0.1',
            port,
            agent,
            method,
            path: target,
            timeout: PATIENCE_MS,
            headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
          },
          (answer) => {
            const told = { status: answer.statusCode ?? 0, headers: answer.headers };
            // A stream of events has no end.
            if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
              sent.destroy();
              return resolve({ ...told, body: '' });
            }
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('end', () => resolve({ ...told, body: Buffer.concat(chunks).toString() }));
            answer.on('error', reject);
          },
        );
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
        sent.on('error', reject);
        sent.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}
