import { type Address, getAddress, type Hash, type Hex, type PublicClient, pad } from 'viem';
import { UnknownBlock } from './chain-servers.ts';

export interface Block {
  number: bigint;
  hash: Hash;
  /** When it was made, by the chain; unset where nobody asks. */
  madeAt?: Date;
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

/** `keccak256("Transfer(address,address,uint256)")`, ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ADDRESS_STARTS = 2 + 2 * 12;
const WORD = /^0x[0-9a-f]{64}$/i;

interface RawLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hash;
  transactionHash: Hash;
  logIndex: Hex;
}

export interface LogFilter {
  token: Address;
  side: 'from' | 'to';
  /** Asked for, in lower case; null: all transfers of the token. */
  addresses: readonly string[] | null;
  /** Kept, in lower case. Checksums are only computed for these: a block has hundreds of others. */
  isWanted: (address: string) => boolean;
  /** By its hash (EIP-234): a node without the block answers with an error. By numbers, it answers with an empty list. */
  where: { blockHash: Hash } | { fromBlock: Hex; toBlock: Hex };
}

/**
 * Transfers of a token, oldest first, without those of nothing (`eth_getLogs`, EIP-1474).
 * @throws UnknownBlock for logs of another block than the one asked for, and when there is no list
 */
export async function readTransferLogs(
  server: PublicClient,
  { token, side, addresses, isWanted, where }: LogFilter,
): Promise<TokenTransfer[]> {
  const among = addresses?.map((address) => pad(address as Hex));
  const topics = side === 'to' ? [TRANSFER, null, among ?? null] : [TRANSFER, among ?? null];
  const logs = (await server.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics, ...where }] as never,
  })) as RawLog[] | null;
  if (!Array.isArray(logs)) throw new UnknownBlock('a server answered without a list of logs');
  const transfers: TokenTransfer[] = [];
  for (const log of logs) {
    const [kind, from, to] = log.topics;
    if (kind !== TRANSFER || log.topics.length !== 3 || !from || !to || !WORD.test(log.data)) continue;
    if (log.address.toLowerCase() !== token.toLowerCase()) continue;
    if (!isWanted(addressOf(side === 'to' ? to : from))) continue;
    if ('blockHash' in where && log.blockHash !== where.blockHash)
      throw new UnknownBlock(`a server answered with logs of block ${log.blockHash}`);
    const units = BigInt(log.data);
    if (units > 0n)
      transfers.push({
        transactionHash: log.transactionHash,
        logIndex: Number(log.logIndex),
        block: { number: BigInt(log.blockNumber), hash: log.blockHash },
        from: getAddress(addressOf(from)),
        to: getAddress(addressOf(to)),
        units,
      });
  }
  return transfers.sort(inChainOrder);
}

export const inChainOrder = (a: TokenTransfer, b: TokenTransfer) =>
  Number(a.block.number - b.block.number) || a.logIndex - b.logIndex;

const addressOf = (topic: Hex) => `0x${topic.slice(ADDRESS_STARTS).toLowerCase()}`;
