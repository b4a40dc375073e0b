import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeAbiParameters, getEventSelector, numberToHex, pad } from 'viem';

const TRANSFER = getEventSelector('Transfer(address,address,uint256)');
const hashOf = (number: number) => numberToHex(number + 1, { size: 32 });
const numberOf = (hash: string) => Number(hash) - 1;

/** Destinations of transfers by block number. Each transfer is one token. */
export type TransfersByBlock = ReadonlyMap<number, `0x${string}`>;

/**
 * A server with a chain of many blocks, for reading deposits. A real local chain gets slower with each block, and would
 * need days for a hundred thousand.
 */
export async function startLongChain(token: string, blocks: number, transfers: TransfersByBlock) {
  const block = (number: number) => ({
    number: numberToHex(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: '0x1',
    transactions: [],
  });
  const logsBetween = (from: number, to: number, wanted: ReadonlySet<string> | null) => {
    const logs = [];
    for (let number = from; number <= to; number++) {
      const recipient = transfers.get(number);
      if (!recipient || wanted?.has(pad(recipient).toLowerCase()) === false) continue;
      logs.push({
        address: token,
        topics: [TRANSFER, pad('0x01'), pad(recipient)],
        data: encodeAbiParameters([{ type: 'uint256' }], [10n ** 18n]),
        blockNumber: numberToHex(number),
        blockHash: hashOf(number),
        transactionHash: numberToHex(number, { size: 32 }),
        transactionIndex: '0x0',
        logIndex: '0x0',
        removed: false,
      });
    }
    return logs;
  };
  const answers: Record<string, (params: never) => unknown> = {
    eth_getBlockByNumber: ([tag]: [string]) =>
      block(tag === 'finalized' || tag === 'latest' ? blocks : Number(tag)),
    eth_getBlockByHash: ([hash]: [string]) => block(numberOf(hash)),
    eth_getLogs: ([{ blockHash, fromBlock, toBlock, topics }]: [
      { blockHash?: string; fromBlock: string; toBlock: string; topics: (string | null | string[])[] },
    ]) => {
      const asked = topics[2] && new Set([topics[2]].flat().map((topic) => topic.toLowerCase()));
      if (blockHash) return logsBetween(numberOf(blockHash), numberOf(blockHash), asked || null);
      return logsBetween(Number(fromBlock), Number(toBlock), asked || null);
    },
  };
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    const result = answers[method]?.(params as never);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hashOf,
    /** Requests since the start. */
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
