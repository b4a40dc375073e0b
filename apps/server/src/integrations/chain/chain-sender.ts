import {
  type Address,
  BaseError,
  createPublicClient,
  ExecutionRevertedError,
  encodeFunctionData,
  erc20Abi,
  fallback,
  getAddress,
  type Hash,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem';
import { findFinalBlock } from './final-block.ts';
import { serverTransport } from './server-transport.ts';

/** A transfer of the token, or of the chain's own coin where there is no token. Amounts are base units. */
export interface Transfer {
  from: string;
  to: string;
  token: string | null;
  units: bigint;
}

/** Wei for a unit of gas (EIP-1559). */
export interface Fee {
  maxFee: bigint;
  priorityFee: bigint;
}

/** What became of a transaction that is in a final block. */
export interface FinalReceipt {
  blockNumber: bigint;
  blockHash: Hash;
  isSuccess: boolean;
  /** Wei that it cost. */
  feeWei: bigint;
  /** Transfers of the token that it made, and nothing else that it logged. */
  tokenTransfers: { token: Address; from: Address; to: Address; units: bigint }[];
}

/** What a payout asks of a chain, and tells it. */
export interface ChainSender {
  /** @throws when a server is of another chain; ChainSilent when none answers */
  check(chainId: number): Promise<void>;
  /** How many transactions of an address a block knows: the next nonce there. */
  transactionCount(address: string, at: 'latest' | 'pending' | 'finalized' | bigint): Promise<number>;
  /** Coin of an address, in wei, as of the latest block. */
  coinOf(address: string): Promise<bigint>;
  currentFee(): Promise<Fee>;
  /**
   * Gas that a transfer takes, found by trying it on the latest block.
   * @throws when the chain would refuse it
   */
  simulate(transfer: Transfer): Promise<bigint>;
  /** Whether an error of `simulate` is the chain's refusal (EIP-140 revert), and not a server that could not be asked. */
  isRefusal(error: unknown): boolean;
  /**
   * Sends signed bytes to every server.
   * @returns whether one took them, or knew them already. When not, they are sent again later: an error says nothing
   *   about what became of them.
   */
  broadcast(raw: Hex): Promise<{ isTaken: boolean; because: string | null }>;
  /**
   * The receipt of a transaction in a final block of the chain as it is now. `none` when servers agree that they know
   * none, `unclear` while too few answer or they tell it differently: that says nothing.
   */
  finalReceipt(hash: Hash): Promise<FinalReceipt | 'none' | 'unclear'>;
  /** Tokens of addresses, as of a block. */
  tokenBalances(addresses: readonly string[], blockNumber: bigint): Promise<bigint[]>;
}

export interface ChainSenderSettings {
  /** Blocks after one that make it final; null or unset: servers say which is. */
  confirmations?: number | null;
  rpcUrls: readonly string[];
  tokenAddress: string;
  timeoutMs: number;
}

/** How many servers have to tell the same of a transaction before it is believed; one where there is no other. */
const AGREEING = 2;
/** A final block is at least so recent. */
const FINAL_BLOCK_MS = 200;
/** The block in which a transaction may be mined can cost twice as much as the latest (EIP-1559: 12.5 % a block). */
const BASE_FEE_ROOM = 2n;
const KNOWN = /already known|already imported|known transaction|already exists|already in/i;

/** The data of a transaction that transfers, and where it goes. */
export function callOf({ to, token, units }: Omit<Transfer, 'from'>): {
  to: Address;
  value: bigint;
  data: Hex | undefined;
} {
  if (token === null) return { to: getAddress(to), value: units, data: undefined };
  const args = [getAddress(to), units] as const;
  return {
    to: getAddress(token),
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  };
}

/** With what it logged: there are servers that leave it out. */
const isSameReceipt = (a: FinalReceipt, b: FinalReceipt) =>
  a.blockHash === b.blockHash &&
  a.isSuccess === b.isSuccess &&
  a.feeWei === b.feeWei &&
  movesOf(a) === movesOf(b);
const movesOf = ({ tokenTransfers }: FinalReceipt) =>
  tokenTransfers.map(({ token, from, to, units }) => [token, from, to, units].join()).join(' ');

/** No server of the chain answers, for now. */
export class ChainSilent extends Error {
  constructor() {
    super('no server of the chain answers');
  }
}

/** Speaks JSON-RPC (EIP-1474) with several servers of one chain. */
export function createChainSender(settings: ChainSenderSettings): ChainSender {
  const { rpcUrls, tokenAddress, timeoutMs, confirmations = null } = settings;
  // Questions of one turn of the event loop go together.
  const transport = (url: string) =>
    serverTransport(url, { timeout: timeoutMs, batch: { wait: 0 }, retryCount: 1 });
  const servers = rpcUrls.map((url) => createPublicClient({ transport: transport(url) }));
  const anyServer = createPublicClient({ transport: fallback(rpcUrls.map(transport), { retryCount: 1 }) });
  const token = getAddress(tokenAddress);

  /** Of each server, and for how long it is taken as the last one: a look at many receipts asks once. */
  const finalBlocks = new Map<PublicClient, { at: number; number: Promise<bigint> }>();
  function finalBlockOf(server: PublicClient): Promise<bigint> {
    const known = finalBlocks.get(server);
    if (known && performance.now() - known.at < FINAL_BLOCK_MS) return known.number;
    const number = findFinalBlock(server, confirmations).then((block) => block.number);
    finalBlocks.set(server, { at: performance.now(), number });
    number.catch(() => finalBlocks.delete(server));
    return number;
  }

  /** null when the server knows none, 'unclear' while it is in no final block there. */
  async function receiptOf(server: PublicClient, hash: Hash): Promise<FinalReceipt | 'unclear' | null> {
    const receipt = await server.getTransactionReceipt({ hash }).catch((error) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (!receipt) return null;
    const [final, block] = await Promise.all([
      finalBlockOf(server),
      server.getBlock({ blockNumber: receipt.blockNumber }),
    ]);
    if (receipt.blockNumber > final || block.hash !== receipt.blockHash) return 'unclear';
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs });
    return {
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      isSuccess: receipt.status === 'success',
      feeWei: receipt.gasUsed * receipt.effectiveGasPrice,
      tokenTransfers: transfers
        .filter((log) => isAddressEqual(log.address, token))
        .map(({ address, args }) => ({ token: address, from: args.from, to: args.to, units: args.value })),
    };
  }

  return {
    async check(chainId) {
      const told = await Promise.allSettled(servers.map((server) => server.getChainId()));
      const ids = told.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const other = ids.find((id) => id !== chainId);
      if (other !== undefined) throw new Error(`the chain is ${other}, not ${chainId}`);
      if (ids.length === 0) throw new ChainSilent();
    },

    async transactionCount(address, at) {
      const isCounted = at === 'finalized' && confirmations !== null;
      const block = isCounted ? (await findFinalBlock(anyServer, confirmations)).number : at;
      return anyServer.getTransactionCount({
        address: getAddress(address),
        ...(typeof block === 'bigint' ? { blockNumber: block } : { blockTag: block }),
      });
    },

    coinOf: (address) => anyServer.getBalance({ address: getAddress(address) }),

    async currentFee() {
      const [block, priorityFee] = await Promise.all([
        anyServer.getBlock({ blockTag: 'latest' }),
        anyServer.estimateMaxPriorityFeePerGas(),
      ]);
      return { maxFee: (block.baseFeePerGas ?? 0n) * BASE_FEE_ROOM + priorityFee, priorityFee };
    },

    simulate({ from, ...transfer }) {
      return anyServer.estimateGas({ account: getAddress(from), ...callOf(transfer) });
    },

    isRefusal: (error) =>
      error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null,

    async broadcast(raw) {
      const answers = await Promise.all(
        servers.map((server) =>
          server.sendRawTransaction({ serializedTransaction: raw }).then(
            () => null,
            (error: unknown) =>
              error instanceof BaseError ? error.details || error.shortMessage : `${error}`,
          ),
        ),
      );
      const isTaken = answers.some((because) => because === null || KNOWN.test(because));
      return { isTaken, because: isTaken ? null : (answers[0] ?? null) };
    },

    async finalReceipt(hash) {
      const needed = Math.min(AGREEING, servers.length);
      const told = await Promise.allSettled(servers.map((server) => receiptOf(server, hash)));
      const answers = told.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      if (answers.length >= needed && answers.every((answer) => answer === null)) return 'none';
      const found = answers.filter((answer) => answer !== null && answer !== 'unclear');
      return (
        found.find((one) => found.filter((other) => isSameReceipt(one, other)).length >= needed) ?? 'unclear'
      );
    },

    tokenBalances: (addresses, blockNumber) =>
      Promise.all(
        addresses.map((address) =>
          anyServer.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [getAddress(address)],
            blockNumber,
          }),
        ),
      ),
  };
}
