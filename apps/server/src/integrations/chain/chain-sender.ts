import { classifyRefusal } from '@copydesk/domain/payouts';
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
  HttpRequestError,
  InvalidRequestRpcError,
  isAddressEqual,
  LimitExceededRpcError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  type PublicClient,
  parseEventLogs,
  ResourceUnavailableRpcError,
  TimeoutError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { findFinalBlock } from './final-block.ts';
import { serverSentence } from './server-sentence.ts';
import { serverTransport } from './server-transport.ts';
import { readTokenBalances } from './token-balances.ts';
import type { Block } from './token-logs.ts';

/** A transfer of the token, or of the chain's own coin when no token is given. Amounts are base units. */
export interface Transfer {
  from: string;
  to: string;
  token: string | null;
  units: bigint;
}

/** Wei per unit of gas (EIP-1559). */
export interface Fee {
  maxFee: bigint;
  priorityFee: bigint;
}

/** The result of a transaction in a final block. */
export interface FinalReceipt {
  blockNumber: bigint;
  blockHash: Hash;
  isSuccess: boolean;
  /** Its cost in wei. */
  feeWei: bigint;
  /** The transaction's transfers of tokens, without its other logs. */
  tokenTransfers: { token: Address; from: Address; to: Address; units: bigint }[];
}

/** The operations on a chain that a payout needs. */
export interface ChainSender {
  /** @throws when a server is of another chain; ChainSilent when none answers */
  check(chainId: number): Promise<void>;
  /**
   * How many transactions of an address a block includes: the next nonce there. With pending ones, the highest answer
   * of all servers: one that lags would hide a transaction that another signer has sent. A block is given by its hash
   * (EIP-1898), which a server without it answers with an error.
   */
  transactionCount(
    address: string,
    at: 'latest' | 'pending' | 'finalized' | Pick<Block, 'hash'>,
  ): Promise<number>;
  /**
   * Coin of an address, in wei, as of the latest block, which is no older than any final block seen before: a top-up
   * that is final is part of it.
   * @throws while every server lags
   */
  coinOf(address: string): Promise<bigint>;
  currentFee(): Promise<Fee>;
  /**
   * Gas for a transfer, found by a simulation on the latest block.
   * @throws when the chain would refuse it
   */
  simulate(transfer: Transfer): Promise<bigint>;
  /** Whether an error of `simulate` is the chain's refusal (EIP-140 revert), as opposed to an unreachable server. */
  isRefusal(error: unknown): boolean;
  /**
   * Whether an error of `simulate` is the server's and not the chain's: it does not answer, or not this kind of request.
   */
  isServerFailure(error: unknown): boolean;
  /** The words of the server in an error, in one line that may be shown. */
  sentenceOf(error: unknown): string;
  /**
   * Sends signed bytes to every server.
   * @returns the words of each server that did not take them, in the order of the servers; empty when one took them or
   * knew them already. Refused bytes are sent again later: an error does not say whether they reached the chain.
   */
  broadcast(raw: Hex): Promise<{ refusals: string[] }>;
  /**
   * The receipt of a transaction in a final block of the present chain. `none` when servers agree that there is none
   * and have the highest final block that one of them reports, `unclear` while too few do or their answers differ: that
   * proves nothing. Many nodes may be behind one address, so a single `none` is a doubt, not a proof.
   */
  finalReceipt(hash: Hash): Promise<FinalReceipt | 'none' | 'unclear'>;
  /** Tokens of addresses, base units, as of a block: see `readTokenBalances`. */
  tokenBalances(addresses: readonly string[], block: Pick<Block, 'hash'>): Promise<bigint[]>;
}

export interface ChainSenderSettings {
  /** Blocks after one that make it final; null or unset: the servers report the final block. */
  confirmations?: number | null;
  rpcUrls: readonly string[];
  tokenAddress: string;
  timeoutMs: number;
  /** Answers from servers of another chain are ignored. Unset: any answer counts. */
  chainId?: number;
}

/** How many servers must give the same answer about a transaction; one when there is no other. */
const AGREEING = 2;
/** How long a final block counts as the latest. */
const FINAL_BLOCK_MS = 200;
/** The block in which a transaction may be mined can cost twice as much as the latest (EIP-1559: 12.5 % a block). */
const BASE_FEE_ROOM = 2n;

/** The data and destination of a transaction that makes the transfer. */
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

/** Errors of a server that does not answer, or refuses a request for a reason of its own (EIP-1474). */
const SERVER_FAILURES = [
  HttpRequestError,
  TimeoutError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  InvalidRequestRpcError,
];

/** Includes the logs: some servers leave them out. */
const isSameReceipt = (a: FinalReceipt, b: FinalReceipt) =>
  a.blockHash === b.blockHash &&
  a.isSuccess === b.isSuccess &&
  a.feeWei === b.feeWei &&
  movesOf(a) === movesOf(b);
const movesOf = ({ tokenTransfers }: FinalReceipt) =>
  tokenTransfers.map(({ token, from, to, units }) => [token, from, to, units].join()).join(' ');

/** No server of the chain answers at present. */
export class ChainSilent extends Error {
  constructor() {
    super('no server of the chain answers');
  }
}

/** Speaks JSON-RPC (EIP-1474) with several servers of one chain. */
export function createChainSender(settings: ChainSenderSettings): ChainSender {
  const { rpcUrls, tokenAddress, timeoutMs, chainId: ours, confirmations = null } = settings;
  // Requests of one turn of the event loop are batched.
  const transport = (url: string) =>
    serverTransport(url, { timeout: timeoutMs, isBatched: true, retryCount: 1, chainId: ours });
  const servers = rpcUrls.map((url) => createPublicClient({ transport: transport(url) }));
  const anyServer = createPublicClient({ transport: fallback(rpcUrls.map(transport), { retryCount: 1 }) });
  const token = getAddress(tokenAddress);

  /** The final block of each server, cached briefly: a check of many receipts reads it once. */
  const finalBlocks = new Map<PublicClient, { at: number; block: Promise<Block> }>();
  function finalBlockOf(server: PublicClient): Promise<Block> {
    const known = finalBlocks.get(server);
    if (known && performance.now() - known.at < FINAL_BLOCK_MS) return known.block;
    const block = findFinalBlock(server, confirmations).then(({ number, hash }) => {
      if (number > highestFinal.number) highestFinal = { number, hash };
      return { number, hash };
    });
    finalBlocks.set(server, { at: performance.now(), block });
    block.catch(() => finalBlocks.delete(server));
    return block;
  }
  /** The highest that any server has reported since the start. */
  let highestFinal: Pick<Block, 'number'> & Partial<Block> = { number: -1n };

  /** The server's latest block, unless it is older than a final one: then this node lags. */
  async function latestBlockOf(server: PublicClient): Promise<Block> {
    const { number, hash } = await server.getBlock({ blockTag: 'latest' });
    if (number < highestFinal.number)
      throw new Error(`the latest block is ${number}, and ${highestFinal.number} is final`);
    return { number, hash };
  }

  async function ofAnyServer<T>(ask: (server: PublicClient) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const server of servers)
      try {
        return await ask(server);
      } catch (error) {
        failure ??= error;
      }
    throw failure;
  }

  /** null when the server has no receipt, 'unclear' while it is not in a final block there, or the server lags. */
  async function receiptOf(server: PublicClient, hash: Hash): Promise<FinalReceipt | 'unclear' | null> {
    const receipt = await server.getTransactionReceipt({ hash }).catch((error) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (!receipt) {
      await Promise.allSettled(servers.map(finalBlockOf));
      if (!highestFinal.hash) return 'unclear';
      const hasBlock = await server.getBlock({ blockHash: highestFinal.hash }).catch(() => null);
      return hasBlock ? null : 'unclear';
    }
    const [final, block] = await Promise.all([
      finalBlockOf(server),
      server.getBlock({ blockNumber: receipt.blockNumber }),
    ]);
    if (receipt.blockNumber > final.number || block.hash !== receipt.blockHash) return 'unclear';
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
      const settledAnswers = await Promise.allSettled(servers.map((server) => server.getChainId()));
      const ids = settledAnswers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const other = ids.find((id) => id !== chainId);
      if (other !== undefined) throw new Error(`the server is of chain ${other}, not ${chainId}`);
      if (ids.length === 0) throw new ChainSilent();
    },

    async transactionCount(address, at) {
      const account = { address: getAddress(address) };
      if (typeof at === 'object')
        return ofAnyServer((server) => server.getTransactionCount({ ...account, blockHash: at.hash }));
      if (at === 'pending') {
        const counting = servers.map((server) => server.getTransactionCount({ ...account, blockTag: at }));
        const settled = await Promise.allSettled(counting);
        const counts = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        return counts.length > 0 ? Math.max(...counts) : Promise.any(counting);
      }
      const isCounted = at === 'finalized' && confirmations !== null;
      return anyServer.getTransactionCount(
        isCounted
          ? { ...account, blockNumber: (await findFinalBlock(anyServer, confirmations)).number }
          : { ...account, blockTag: at },
      );
    },

    coinOf: (address) =>
      ofAnyServer(async (server) => {
        const account = { address: getAddress(address) };
        const { hash: blockHash } = await latestBlockOf(server);
        return server.getBalance({ ...account, blockHash }).catch((error) => {
          // The next node behind the same address may not have the latest block yet.
          if (!highestFinal.hash) throw error;
          return server.getBalance({ ...account, blockHash: highestFinal.hash });
        });
      }),

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

    sentenceOf: serverSentence,

    isServerFailure: (error) =>
      error instanceof BaseError &&
      error.walk((cause) => SERVER_FAILURES.some((kind) => cause instanceof kind)) !== null,

    async broadcast(raw) {
      const answers = await Promise.all(
        servers.map((server) =>
          server.sendRawTransaction({ serializedTransaction: raw }).then(
            () => null,
            (error: unknown) => serverSentence(error),
          ),
        ),
      );
      const refusals = answers.filter((said) => said !== null && classifyRefusal(said) !== 'known');
      return { refusals: refusals.length < answers.length ? [] : (refusals as string[]) };
    },

    async finalReceipt(hash) {
      const needed = Math.min(AGREEING, servers.length);
      const settledAnswers = await Promise.allSettled(servers.map((server) => receiptOf(server, hash)));
      const answers = settledAnswers.flatMap((answer) =>
        answer.status === 'fulfilled' ? [answer.value] : [],
      );
      if (answers.length >= needed && answers.every((answer) => answer === null)) return 'none';
      const found = answers.filter((answer) => answer !== null && answer !== 'unclear');
      return (
        found.find((one) => found.filter((other) => isSameReceipt(one, other)).length >= needed) ?? 'unclear'
      );
    },

    tokenBalances: (addresses, block) =>
      ofAnyServer((server) => readTokenBalances(server, token, addresses, block)),
  };
}
