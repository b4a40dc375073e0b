import {
  type Address,
  createPublicClient,
  erc20Abi,
  fallback,
  getAbiItem,
  getAddress,
  type Hash,
  type PublicClient,
} from 'viem';
import { findFinalBlock } from './final-block.ts';
import { serverTransport } from './server-transport.ts';

export interface ChainSettings {
  /** Tried in this order; when one fails, the next. */
  rpcUrls: readonly string[];
  chainId: number;
  tokenAddress: string;
  /** Decimals of an amount; the token must have the same. */
  tokenDecimals: number;
  timeoutMs: number;
  /** Blocks after one that make it final; null or unset: the servers report the final block. */
  confirmations?: number | null;
}

export interface Block {
  number: bigint;
  hash: Hash;
}

/** A token transfer in a block. Amounts are base units. */
export interface TokenTransfer {
  transactionHash: Hash;
  logIndex: number;
  block: Block;
  from: Address;
  to: Address;
  units: bigint;
}

/** Reads a chain and one token on it. */
export interface ChainReader {
  /** @throws when the servers are of another chain, or the token has other decimals */
  check(): Promise<void>;
  /** The last final block. */
  finalizedBlock(): Promise<Block>;
  /** A block by its number; null when the chain has none. */
  findBlock(number: bigint): Promise<Block | null>;
  /**
   * Transfers of the token to these addresses in a range of blocks, both ends included, oldest first.
   * @param addresses in lower case: checksums of ten thousand would take longer than the request
   */
  transfersTo(addresses: readonly string[], range: BlockRange): Promise<TokenTransfer[]>;
  /** The same for transfers from these addresses. */
  transfersFrom(addresses: readonly string[], range: BlockRange): Promise<TokenTransfer[]>;
}

interface BlockRange {
  from: bigint;
  to: bigint;
}

/** Public servers refuse more than some thousand addresses in one request. */
const ADDRESSES_AT_ONCE = 1_000;
const RETRIES = 2;

/** Reads a chain over JSON-RPC (EIP-1474), from any server that answers. */
export function createChainReader(settings: ChainSettings): ChainReader {
  const { rpcUrls, chainId, tokenDecimals, timeoutMs, confirmations = null } = settings;
  const address = getAddress(settings.tokenAddress);
  const transports = rpcUrls.map((url) => serverTransport(url, { timeout: timeoutMs }));
  const client = createPublicClient({ transport: fallback(transports, { retryCount: RETRIES }) });
  const servers = transports.map((transport) => createPublicClient({ transport }));

  /** Sends all parts of a request to one server: the next one may be behind. */
  async function ofOneServer<T>(ask: (server: PublicClient) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const server of servers)
      try {
        return await ask(server);
      } catch (error) {
        failure ??= error;
      }
    throw failure;
  }

  const readTransfers = (
    side: 'from' | 'to',
    addresses: readonly string[],
    { from, to }: BlockRange,
  ): Promise<TokenTransfer[]> =>
    ofOneServer(async (server) => {
      // A server that is behind would know of no transfers, and answer with an empty list.
      await server.getBlock({ blockNumber: to });
      const transfers: TokenTransfer[] = [];
      for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
        const logs = await server.getLogs({
          address,
          event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
          args: { [side]: addresses.slice(at, at + ADDRESSES_AT_ONCE) as Address[] },
          fromBlock: from,
          toBlock: to,
          strict: true,
        });
        for (const { transactionHash, logIndex, blockNumber, blockHash, args } of logs)
          if (args.value > 0n)
            transfers.push({
              transactionHash,
              logIndex,
              block: { number: blockNumber, hash: blockHash },
              from: args.from,
              to: args.to,
              units: args.value,
            });
      }
      return transfers.sort((a, b) => Number(a.block.number - b.block.number) || a.logIndex - b.logIndex);
    });

  return {
    async check() {
      // As of the final block: deposits are read from there, so the token must exist by then.
      const { number: blockNumber } = await findFinalBlock(client, confirmations);
      const [id, decimals] = await Promise.all([
        client.getChainId(),
        client.readContract({ address, abi: erc20Abi, functionName: 'decimals', blockNumber }),
      ]);
      if (id !== chainId) throw new Error(`the chain is ${id}, not ${chainId}`);
      if (decimals !== tokenDecimals)
        throw new Error(`the token ${address} has ${decimals} decimals, not ${tokenDecimals}`);
    },

    async finalizedBlock() {
      const { number, hash } = await findFinalBlock(client, confirmations);
      return { number, hash };
    },

    async findBlock(number) {
      const block = await client.getBlock({ blockNumber: number }).catch((error) => {
        if ((error as Error).name === 'BlockNotFoundError') return null;
        throw error;
      });
      return block && { number: block.number, hash: block.hash };
    },

    transfersTo: (addresses, range) => readTransfers('to', addresses, range),
    transfersFrom: (addresses, range) => readTransfers('from', addresses, range),
  };
}
