import { createHash } from 'node:crypto';
import { type Address, numberToHex, type PublicClient } from 'viem';
import { type ChainServers, isRangeRefusal, sentenceOf, UnknownBlock } from './chain-servers.ts';
import { createRangeSize, type RangeSize } from './range-size.ts';
import { type Block, inChainOrder, readTransferLogs, type TokenTransfer } from './token-logs.ts';

/** Two readings of one server prove a range when they are this far apart. */
const APART_MS = 60_000;
/** Addresses of one request: geth takes 1,000 values of a topic. */
const ADDRESSES_AT_ONCE = 1_000;
/** Ranges read once that wait for their second reading; a digest is kept of each. */
const AHEAD = 2_000;

export interface RangeQuery {
  /** The last block that is read already. */
  after: bigint;
  /** No range ends behind this one. */
  deepest: bigint;
  /** Blocks of a range. */
  blocks: bigint;
  /** In lower case. */
  addresses: ReadonlySet<string>;
}

export type RangeStep =
  /** The next range. Two readings were equal. */
  | { state: 'proved'; to: Block; transfers: TokenTransfer[] }
  /** Two readings of the next range were not equal. */
  | { state: 'differing'; to: Block; because: string }
  /** A range was read for the first time. */
  | { state: 'read_ahead' }
  /** Nothing can be read at present. */
  | { state: 'waiting' };

/** Reads blocks far below the head, many in a request. */
export interface RangeReader {
  /**
   * Takes the next step towards the range after a block. An answer to a range proves nothing: the node that gave it may
   * lack blocks, and answer for those that it has. So each range is read twice, from two servers or at least a minute
   * apart, and each reading ends with a look for the last block by its hash at the same server.
   * @throws RangeRefused when a server takes fewer blocks; otherwise the failure of the servers
   */
  next(query: RangeQuery): Promise<RangeStep>;
  /**
   * One reading of a whole range by one server.
   * @throws RangeRefused, and UnknownBlock when the server does not know the last block
   */
  read(server: PublicClient, range: RangeToRead): Promise<TokenTransfer[]>;
}

export interface RangeToRead {
  from: bigint;
  to: Block;
  side: 'from' | 'to';
  addresses: ReadonlySet<string>;
}

/** A server takes fewer blocks at once. The message is the server's own sentence. Fewer are asked for from now on. */
export class RangeRefused extends Error {}

interface Reading {
  server: PublicClient;
  at: number;
  count: number;
  digest: string;
  hash: string;
  addresses: ReadonlySet<string>;
}

export function createRangeReader({
  servers,
  token,
  findBlock,
  mostBlocks,
  now,
}: {
  servers: ChainServers;
  token: Address;
  /** @throws UnknownBlock */
  findBlock(number: bigint): Promise<Block>;
  mostBlocks: bigint;
  now: () => number;
}): RangeReader {
  const sizes = new Map<PublicClient, RangeSize>();
  /** First readings by the first block of their range. */
  const firsts = new Map<bigint, Reading>();

  function sizeOf(server: PublicClient): RangeSize {
    const size = sizes.get(server) ?? createRangeSize(mostBlocks, now);
    sizes.set(server, size);
    return size;
  }

  async function read(server: PublicClient, { from, to, side, addresses }: RangeToRead) {
    const size = sizeOf(server);
    const list = [...addresses];
    const isWanted = (address: string) => addresses.has(address);
    const transfers: TokenTransfer[] = [];
    for (let first = from; first <= to.number; ) {
      const blocks = least(size.blocks(), to.number - first + 1n);
      const where = { fromBlock: numberToHex(first), toBlock: numberToHex(first + blocks - 1n) };
      try {
        for (let at = 0; at < list.length; at += ADDRESSES_AT_ONCE) {
          const some = list.slice(at, at + ADDRESSES_AT_ONCE);
          transfers.push(
            ...(await readTransferLogs(server, { token, side, addresses: some, isWanted, where })),
          );
        }
      } catch (error) {
        if (isRangeRefusal(error) && size.noteRefusal(blocks))
          throw new RangeRefused(sentenceOf(error), { cause: error });
        throw error;
      }
      size.noteAnswer(blocks);
      first += blocks;
    }
    const found = await server.getBlock({ blockHash: to.hash });
    if (found.number !== to.number) throw new UnknownBlock(`block ${to.hash} has another number`);
    return transfers.sort(inChainOrder);
  }

  async function readOnce(server: PublicClient, from: bigint, to: Block, addresses: ReadonlySet<string>) {
    const transfers = await read(server, { from, to, side: 'to', addresses }).catch((error) => {
      servers.recordFailure(server, error);
      throw error;
    });
    const { count, digest } = digestOf(transfers);
    const reading: Reading = { server, at: now(), count, digest, hash: to.hash, addresses };
    return { reading, transfers };
  }

  const conclude = (first: Reading, second: Awaited<ReturnType<typeof readOnce>>, to: Block): RangeStep => {
    const { reading, transfers } = second;
    const isEqual =
      first.count === reading.count && first.digest === reading.digest && first.hash === reading.hash;
    if (isEqual) return { state: 'proved', to, transfers };
    const because = `two readings up to block ${to.number} differ: ${first.count} and ${reading.count} transfers`;
    return { state: 'differing', to, because };
  };

  /** The first reading of a range; where two servers answer, the second one too. */
  async function begin(from: bigint, { blocks, addresses }: RangeQuery): Promise<RangeStep> {
    const to = await findBlock(from + blocks - 1n);
    const [one, other] = servers.inOrder();
    const isOtherWell = other !== undefined && servers.healthy().includes(other);
    const asked = [one, isOtherWell ? other : undefined].filter((server) => server !== undefined);
    const settled = await Promise.allSettled(
      asked.map((server) => readOnce(server, from, to, sharedSet(addresses))),
    );
    const [first, second] = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refusal = settled.find((each) => each.status === 'rejected');
    if (!first) throw refusal?.reason;
    if (second) return conclude(first.reading, second, to);
    firsts.set(from, first.reading);
    if (refusal?.reason instanceof RangeRefused) throw refusal.reason;
    return { state: 'read_ahead' };
  }

  /** The second reading, by another server or after a minute; null while neither is possible. */
  async function repeat(from: bigint, first: Reading, { blocks }: RangeQuery): Promise<RangeStep | null> {
    const isDue = now() - first.at >= APART_MS;
    const others = servers.healthy().filter((server) => server !== first.server);
    let failure: unknown;
    for (const server of [...others, ...(isDue ? [first.server] : [])])
      try {
        const to = await findBlock(from + blocks - 1n);
        return conclude(first, await readOnce(server, from, to, first.addresses), to);
      } catch (error) {
        if (error instanceof RangeRefused) throw error;
        failure = error;
      }
    if (isDue) throw failure;
    return null;
  }

  let shared: ReadonlySet<string> = new Set();
  /** The same set for equal addresses: first readings keep theirs until the second. */
  function sharedSet(addresses: ReadonlySet<string>): ReadonlySet<string> {
    if (shared.size !== addresses.size || [...addresses].some((each) => !shared.has(each)))
      shared = addresses;
    return shared;
  }

  return {
    read,
    async next(query) {
      const { after, deepest, blocks } = query;
      for (const from of firsts.keys()) if (from <= after) firsts.delete(from);
      const from = after + 1n;
      const first = firsts.get(from);
      if (!first) return begin(from, query);
      const step = await repeat(from, first, query);
      if (step) {
        // A differing range gets two new readings, not a comparison with the same one.
        if (step.state !== 'read_ahead') firsts.delete(from);
        return step;
      }
      let ahead = from;
      while (firsts.has(ahead)) ahead += blocks;
      if (ahead + blocks - 1n > deepest || firsts.size >= AHEAD) return { state: 'waiting' };
      const begun = await begin(ahead, query);
      // Two servers answer again, but the ranges in between have to be booked before this one.
      return begun.state === 'proved' || begun.state === 'differing' ? { state: 'read_ahead' } : begun;
    },
  };
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);

function digestOf(transfers: readonly TokenTransfer[]): { count: number; digest: string } {
  const hash = createHash('sha256');
  for (const { block, transactionHash, logIndex, from, to, units } of transfers)
    hash.update(`${block.hash} ${transactionHash} ${logIndex} ${from} ${to} ${units}\n`);
  return { count: transfers.length, digest: hash.digest('hex') };
}
