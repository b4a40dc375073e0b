import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string } };

/** A server's reaction to a call. Null: the connection breaks, and the result stays unknown. */
export type RpcBehaviour = (
  call: RpcCall,
  forward: () => Promise<RpcAnswer>,
) => Promise<RpcAnswer | null | { status: number }>;

const BATCH_TOO_LARGE = { code: -32600, message: 'batch of requests is too large' };

/** A JSON-RPC server in front of another one, which misbehaves on request. */
export async function createFaultyRpc(targetUrl: string) {
  let behaviour: RpcBehaviour = (_, forward) => forward();
  const seen: RpcCall[] = [];
  let largestBatch = Number.POSITIVE_INFINITY;

  const forward = async (call: RpcCall): Promise<RpcAnswer> => {
    const answer = await fetch(targetUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    });
    return (await answer.json()) as RpcAnswer;
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
    const calls = Array.isArray(body) ? body : [body];
    if (Array.isArray(body) && body.length > largestBatch) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: BATCH_TOO_LARGE }));
      return;
    }
    seen.push(...calls);
    const answers = await Promise.all(
      calls.map((call) => behaviour(call, () => forward(call)).catch(() => null)),
    );
    if (answers.includes(null)) {
      response.destroy();
      return;
    }
    const refused = answers.find((answer) => answer !== null && 'status' in answer);
    if (refused && 'status' in refused) {
      response.writeHead(refused.status).end();
      return;
    }
    const told = answers.map((answer, index) => ({ jsonrpc: '2.0', ...answer, id: calls[index]?.id }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? told : told[0]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Received calls, oldest first. */
    seen,
    behave(next: RpcBehaviour): void {
      behaviour = next;
    },
    /** Refuses larger arrays of calls with one error for all of them. */
    limitBatches(calls: number): void {
      largestBatch = calls;
    },
    heal(): void {
      largestBatch = Number.POSITIVE_INFINITY;
      behaviour = (_, go) => go();
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
