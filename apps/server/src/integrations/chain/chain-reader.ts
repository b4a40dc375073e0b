import { erc20Abi, getAddress, numberToHex, type PublicClient } from 'viem';
import { createChainServers, isOfServer, isUnknownBlock, UnknownBlock } from './chain-servers.ts';
import { findFinalBlock } from './final-block.ts';
import { createRangeReader, type RangeQuery, RangeRefused, type RangeStep } from './range-reader.ts';
import { serverSentence } from './server-sentence.ts';
import {
  type Block,
  inChainOrder,
  type OtherTransfer,
  readOtherTransfers,
  readTransferLogs,
  type TokenTransfer,
} from './token-logs.ts';

export type { RangeStep } from './range-reader.ts';
export type { Block, OtherTransfer, TokenTransfer } from './token-logs.ts';

/** What a token contract claims to be, which proves nothing. Null: it does not answer in the usual way. */
export interface TokenWords {
  /** Letters, digits and some marks only, at most 16. */
  symbol: string | null;
  decimals: number | null;
}

const SYMBOL_LENGTH = 16;
const MOST_DECIMALS = 36;

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
  /** Blocks of one request, where a server takes as many. */
  blocksAtOnce?: number;
  /** In milliseconds. */
  now?: () => number;
}

/** Addresses whose transfers are looked for, in lower case: checksums of ten thousand would take longer than a request. */
export interface Wanted {
  addresses: ReadonlySet<string>;
  /** Those that the server is asked for, at most 1,000; null: it is asked for all transfers of the token. */
  filter: readonly string[] | null;
}

/** Reads a chain and one token on it. */
export interface ChainReader {
  /** @throws when the servers are of another chain, or the token has other decimals */
  check(): Promise<void>;
  /** The words of the server in an error, in one line that may be shown. */
  sentenceOf(error: unknown): string;
  /** The last final block: the highest that a server reports. */
  finalizedBlock(): Promise<Block>;
  /** A block by its number; null when no server has it. */
  findBlock(number: bigint): Promise<Block | null>;
  /** When a block was made, in seconds since 1970. @throws UnknownBlock */
  timeOf(number: bigint): Promise<bigint>;
  /**
   * The blocks after one up to a number, each the child of the one before; null when the first is no child of the block.
   * @throws UnknownBlock when no server has one of them
   */
  blocksAfter(block: Block, to: bigint): Promise<Block[] | null>;
  /**
   * Transfers of the token to addresses in one block, by its hash: an empty answer is about this block, because a node
   * that does not have it answers with an error.
   * @throws UnknownBlock when no server has it
   */
  transfersIn(block: Block, wanted: Wanted): Promise<TokenTransfer[]>;
  /**
   * The same, of any server that has the block: for a block of which one has left something out.
   * @throws when no server has it
   */
  allTransfersIn(block: Block, addresses: ReadonlySet<string>): Promise<TokenTransfer[]>;
  /**
   * Transfers to these addresses in the blocks after a number, up to the head: they may still disappear. From one server
   * and one head, of the last 2,000 blocks at most, with a request for each 1,000 addresses.
   */
  transfersAfter(number: bigint, addresses: ReadonlySet<string>): Promise<TokenTransfer[]>;
  /**
   * Transfers of any other token to addresses in lower case, in a range of blocks, both ends included: a single reading by
   * one server that has the last block, with a request for each 1,000 addresses.
   */
  otherTransfersIn(range: BlockRange, addresses: readonly string[]): Promise<OtherTransfer[]>;
  /** What the contract of a token says of itself; null: nothing that is a word. @throws when no server answers */
  wordsOf(token: string): Promise<TokenWords>;
  /** The next step through blocks far below the head: see `RangeReader`. */
  nextRange(query: RangeQuery): Promise<RangeStep>;
  /**
   * Transfers to these addresses in a range, both ends included, as the second server gives them; the only one where
   * there is no second. A single reading.
   */
  readAgain(addresses: ReadonlySet<string>, range: BlockRange): Promise<TokenTransfer[]>;
  /**
   * When to retry after an error of these methods that needs no person: a server takes fewer blocks at once,
   * or does not have a block yet. Null: another error.
   */
  repeats(error: unknown): 'at_once' | 'later' | null;
  /** Whether there is a second server. */
  hasSecondServer: boolean;
  /**
   * Transfers from these addresses in a range, both ends included: what any server lists. Each server is asked, because
   * one that lags would leave some out.
   * @throws when no server answers
   */
  transfersFrom(addresses: readonly string[], range: BlockRange): Promise<TokenTransfer[]>;
}

interface BlockRange {
  from: bigint;
  to: bigint;
}

/** Requests at the same time: servers count them by the second. */
const AT_ONCE = 10;
const BLOCKS_AT_ONCE = 500;
/** geth takes 1,000 values of a topic. */
const ADDRESSES_AT_ONCE = 1_000;
/** 15 minutes of BNB Smart Chain. */
const UNFINAL_BLOCKS = 2_000n;

/** @param seconds since 1970 */
const timeOf = (seconds: bigint) => new Date(Number(seconds) * 1_000);

/** Reads a chain over JSON-RPC (EIP-1474), from any server that answers. */
export function createChainReader(settings: ChainSettings): ChainReader {
  const { chainId, tokenDecimals, confirmations = null, blocksAtOnce = BLOCKS_AT_ONCE } = settings;
  const { now = Date.now } = settings;
  const token = getAddress(settings.tokenAddress);
  const servers = createChainServers({ ...settings, now });
  const getBlock = (blockNumber: bigint) => servers.ask((server) => server.getBlock({ blockNumber }));
  const givenBy = new WeakMap<Block, PublicClient>();
  const headerOf = async (number: bigint): Promise<Block> => {
    const { hash, timestamp } = await getBlock(number);
    return { number, hash, madeAt: timeOf(timestamp) };
  };
  const requireBlock = async (server: PublicClient, { number, hash }: Block) => {
    const found = await server.getBlock({ blockNumber: number });
    if (found.hash !== hash) throw new UnknownBlock(`block ${number} is ${found.hash}, not ${hash}`);
  };
  const ranges = createRangeReader({
    servers,
    token,
    findBlock: headerOf,
    mostBlocks: BigInt(blocksAtOnce),
    now,
  });

  /** One reading of a range, with fewer blocks a request as long as the server refuses. */
  async function readRange(server: PublicClient, range: Parameters<typeof ranges.read>[1]) {
    for (;;)
      try {
        return await ranges.read(server, range);
      } catch (error) {
        if (!(error instanceof RangeRefused)) throw error;
      }
  }

  /** Every transfer that at least one server lists. @throws when none answers */
  async function ofEvery(read: (server: PublicClient) => Promise<TokenTransfer[]>): Promise<TokenTransfer[]> {
    const settled = await Promise.allSettled(servers.configured.map(read));
    const readings = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (readings.length === 0) throw (settled[0] as PromiseRejectedResult).reason;
    const listed = readings.flat().map((each) => [`${each.transactionHash} ${each.logIndex}`, each] as const);
    return [...new Map(listed).values()].sort(inChainOrder);
  }

  return {
    repeats: (error) => (error instanceof RangeRefused ? 'at_once' : isUnknownBlock(error) ? 'later' : null),

    hasSecondServer: servers.inOrder().length > 1,

    sentenceOf: serverSentence,

    async check() {
      // As of the final block: deposits are read from there, so the token must exist by then.
      const [id, decimals] = await servers.ask(async (server) => {
        const { number: blockNumber } = await findFinalBlock(server, confirmations);
        const asked = { address: token, abi: erc20Abi, functionName: 'decimals', blockNumber } as const;
        return Promise.all([server.getChainId(), server.readContract(asked)]);
      });
      if (id !== chainId) throw new Error(`the server is of chain ${id}, not ${chainId}`);
      if (decimals !== tokenDecimals)
        throw new Error(`the token ${token} has ${decimals} decimals, not ${tokenDecimals}`);
    },

    async finalizedBlock() {
      // Asks all servers: the first may have stopped at a block, and would hold up everything.
      const settled = await Promise.allSettled(
        servers.healthy().map((server) =>
          findFinalBlock(server, confirmations).catch((error) => {
            servers.recordFailure(server, error);
            throw error;
          }),
        ),
      );
      const found = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const [first = await servers.ask((server) => findFinalBlock(server, confirmations)), ...others] = found;
      const { number, hash, timestamp } = others.reduce((a, b) => (b.number > a.number ? b : a), first);
      return { number, hash, madeAt: timeOf(timestamp) };
    },

    findBlock: (number) =>
      headerOf(number).catch((error) => {
        if (isUnknownBlock(error)) return null;
        throw error;
      }),

    timeOf: async (number) => (await getBlock(number)).timestamp,

    async blocksAfter(block, to) {
      const chain: Block[] = [];
      let parent = block;
      for (let from = block.number + 1n; from <= to; from += BigInt(AT_ONCE)) {
        const numbers = Array.from({ length: AT_ONCE }, (_, n) => from + BigInt(n)).filter((n) => n <= to);
        const found = await Promise.all(
          numbers.map((blockNumber) =>
            servers.ask(async (server) => ({ server, ...(await server.getBlock({ blockNumber })) })),
          ),
        );
        for (const { server, number, hash, parentHash, timestamp } of found) {
          if (parentHash !== parent.hash) {
            if (parent === block) return null;
            throw new UnknownBlock(`block ${number} follows ${parentHash}, not ${parent.hash}`);
          }
          parent = { number, hash, madeAt: timeOf(timestamp) };
          givenBy.set(parent, server);
          chain.push(parent);
        }
      }
      return chain;
    },

    transfersIn(block, { addresses, filter }) {
      if (filter?.length === 0) return Promise.resolve([]);
      const where = { blockHash: block.hash };
      const isWanted = (address: string) => addresses.has(address);
      return servers.ask(async (server) => {
        // A server other than the one that gave the block may lag, and some ignore EIP-234.
        if (givenBy.get(block) !== server) await requireBlock(server, block);
        return readTransferLogs(server, { token, side: 'to', addresses: filter, isWanted, where });
      });
    },

    allTransfersIn: (block, addresses) =>
      ofEvery(async (server) => {
        await requireBlock(server, block);
        const isWanted = (address: string) => addresses.has(address);
        const where = { blockHash: block.hash };
        return readTransferLogs(server, { token, side: 'to', addresses: null, isWanted, where });
      }),

    transfersAfter: (number, addresses) =>
      servers.ask(async (server) => {
        const head = await server.getBlockNumber({ cacheTime: 0 });
        if (head <= number) return [];
        const from = head - UNFINAL_BLOCKS > number ? head - UNFINAL_BLOCKS : number;
        const all = [...addresses];
        const transfers: TokenTransfer[] = [];
        for (let read = 0; read < all.length; read += ADDRESSES_AT_ONCE)
          transfers.push(
            ...(await readTransferLogs(server, {
              token,
              side: 'to',
              addresses: all.slice(read, read + ADDRESSES_AT_ONCE),
              isWanted: (address) => addresses.has(address),
              where: { fromBlock: numberToHex(from + 1n), toBlock: numberToHex(head) },
            })),
          );
        return transfers;
      }),

    otherTransfersIn: ({ from, to }, addresses) =>
      servers.ask(async (server) => {
        // A server that lags would leave out what it does not have yet.
        const head = await server.getBlockNumber({ cacheTime: 0 });
        if (head < to) throw new UnknownBlock(`block ${to} is not there yet: the last one is ${head}`);
        const where = { except: token, from: numberToHex(from), to: numberToHex(to) };
        const parts: string[][] = [];
        for (let read = 0; read < addresses.length; read += ADDRESSES_AT_ONCE)
          parts.push(addresses.slice(read, read + ADDRESSES_AT_ONCE));
        const transfers: OtherTransfer[] = [];
        for (let read = 0; read < parts.length; read += AT_ONCE)
          transfers.push(
            ...(
              await Promise.all(
                parts
                  .slice(read, read + AT_ONCE)
                  .map((part) => readOtherTransfers(server, { ...where, addresses: part })),
              )
            ).flat(),
          );
        return transfers;
      }),

    wordsOf: (address) =>
      servers.ask(async (server) => {
        const contract = { address: getAddress(address), abi: erc20Abi };
        const nothing = (error: unknown) => {
          if (isOfServer(error)) throw error;
          return null;
        };
        const [symbol, decimals] = await Promise.all([
          server.readContract({ ...contract, functionName: 'symbol' }).catch(nothing),
          server.readContract({ ...contract, functionName: 'decimals' }).catch(nothing),
        ]);
        const plain = [...(symbol ?? '').slice(0, 200).replace(/[^\p{L}\p{N}$._-]/gu, '')];
        return {
          symbol: plain.slice(0, SYMBOL_LENGTH).join('').slice(0, SYMBOL_LENGTH) || null,
          decimals: decimals !== null && decimals <= MOST_DECIMALS ? decimals : null,
        };
      }),

    nextRange: ranges.next,

    async readAgain(addresses, { from, to }) {
      const [first, second = first] = servers.configured;
      if (!second) throw new UnknownBlock('there is no server');
      return readRange(second, { from, to: await headerOf(to), side: 'to', addresses });
    },

    async transfersFrom(addresses, { from, to }) {
      const range = { from, to: await headerOf(to), side: 'from' as const, addresses: new Set(addresses) };
      return ofEvery((server) => readRange(server, range));
    },
  };
}
