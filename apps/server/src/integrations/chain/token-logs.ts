import { type Address, getAddress, type Hash, type Hex, type PublicClient, pad } from 'viem';
import { UnknownBlock } from './chain-servers.ts';

export interface Block {
  number: bigint;
  hash: Hash;
  /** When it was made, by the chain; unset where no caller asks for it. */
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

/** A transfer of any other token. */
export interface OtherTransfer extends TokenTransfer {
  /** The contract, in lower case. */
  token: string;
}

/**
 * Transfers of all tokens but one to these addresses, in lower case, in a range of blocks: a single reading.
 * @throws UnknownBlock when the server answers without a list of logs
 */
export async function readOtherTransfers(
  server: PublicClient,
  { except, addresses, from, to }: { except: Address; addresses: readonly string[]; from: Hex; to: Hex },
): Promise<OtherTransfer[]> {
  const wanted = new Set(addresses);
  const logs = (await server.request({
    method: 'eth_getLogs',
    params: [
      {
        topics: [TRANSFER, null, addresses.map((address) => pad(address as Hex))],
        fromBlock: from,
        toBlock: to,
      },
    ] as never,
  })) as RawLog[] | null;
  if (!Array.isArray(logs)) throw new UnknownBlock('a server answered without a list of logs');
  return logs.flatMap((log) => {
    const [kind, sender, receiver] = log.topics;
    // Tokens without amounts have another topic in place of the data.
    if (kind !== TRANSFER || log.topics.length !== 3 || !sender || !receiver || !WORD.test(log.data))
      return [];
    const token = log.address.toLowerCase();
    const units = BigInt(log.data);
    if (token === except.toLowerCase() || units === 0n || !wanted.has(addressOf(receiver))) return [];
    return [
      {
        token,
        transactionHash: log.transactionHash,
        logIndex: Number(log.logIndex),
        block: { number: BigInt(log.blockNumber), hash: log.blockHash },
        from: getAddress(addressOf(sender)),
        to: getAddress(addressOf(receiver)),
        units,
      },
    ];
  });
}

export const inChainOrder = (a: TokenTransfer, b: TokenTransfer) =>
  Number(a.block.number - b.block.number) || a.logIndex - b.logIndex;

const addressOf = (topic: Hex) => `0x${topic.slice(ADDRESS_STARTS).toLowerCase()}`;
