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
  /** Passes the call on, or another one. */
  forward: (other?: Pick<RpcCall, 'method' | 'params'>) => Promise<RpcAnswer>,
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
    // JSON-RPC lets clients leave out what a method does not take.
    const calls = (Array.isArray(body) ? body : [body]).map((call) => ({
      ...call,
      params: call.params ?? [],
    }));
    if (Array.isArray(body) && body.length > largestBatch) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: BATCH_TOO_LARGE }));
      return;
    }
    seen.push(...calls);
    const answers = await Promise.all(
      calls.map((call) => behaviour(call, (other) => forward({ ...call, ...other })).catch(() => null)),
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

const UNKNOWN_BLOCK: RpcAnswer = { error: { code: -32000, message: 'unknown block' } };

/**
 * A node without the logs of blocks behind one, while another node gives their headers: an empty list for a range, and
 * an error for a block by its hash (EIP-234).
 * @param isMissing whether it lacks a block
 */
export const withoutLogsOf =
  (isMissing: (block: number) => boolean): RpcBehaviour =>
  async ({ method, params }, forward) => {
    if (method !== 'eth_getLogs') return forward();
    const { blockHash, fromBlock, toBlock } = params[0] as Record<string, string>;
    if (blockHash) return isMissing(await numberOf(blockHash, forward)) ? UNKNOWN_BLOCK : forward();
    const answer = await forward();
    if (!('result' in answer) || !fromBlock || !toBlock) return answer;
    const logs = answer.result as { blockNumber: string }[];
    return { result: logs.filter(({ blockNumber }) => !isMissing(Number(blockNumber))) };
  };

/** A node that has no block behind one, whatever it is asked. */
export const laggingAt =
  (head: () => number): RpcBehaviour =>
  async (call, forward) => {
    const { method, params } = call;
    const [first, second] = params as [unknown, unknown];
    const tag = method === 'eth_getBlockByNumber' ? first : second;
    if (method === 'eth_getLogs') return withoutLogsOf((block) => block > head())(call, forward);
    if (method === 'eth_getBlockByHash')
      return (await numberOf(String(first), forward)) > head() ? { result: null } : forward();
    if (method === 'eth_getTransactionReceipt') {
      const answer = await forward();
      const receipt = 'result' in answer ? (answer.result as { blockNumber: string } | null) : null;
      return receipt && Number(receipt.blockNumber) > head() ? { result: null } : answer;
    }
    if (typeof tag === 'object' && tag !== null && 'blockHash' in tag)
      return (await numberOf(String(tag.blockHash), forward)) > head() ? UNKNOWN_BLOCK : forward();
    const at = typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : null;
    if (method === 'eth_getBlockByNumber' && at !== null) return at > head() ? { result: null } : forward();
    if (!['latest', 'pending', 'finalized'].includes(String(tag))) return forward();
    const known = `0x${head().toString(16)}`;
    return forward({ method, params: tag === first ? [known, second] : [first, known] });
  };

/** A server that takes at most this many blocks in a request for logs. */
export const refusingRangesOver =
  (most: number, refusal: (blocks: number) => RpcAnswer): RpcBehaviour =>
  async ({ method, params }, forward) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as Record<string, string>;
    const blocks = method === 'eth_getLogs' && fromBlock ? Number(toBlock) - Number(fromBlock) + 1 : 0;
    return blocks > most ? refusal(blocks) : forward();
  };

async function numberOf(hash: string, forward: Parameters<RpcBehaviour>[1]): Promise<number> {
  const answer = await forward({ method: 'eth_getBlockByHash', params: [hash, false] });
  const block = 'result' in answer ? (answer.result as { number: string } | null) : null;
  return block ? Number(block.number) : Number.POSITIVE_INFINITY;
}
