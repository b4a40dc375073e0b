import { BaseError, BlockNotFoundError, createPublicClient, type PublicClient } from 'viem';
import { serverTransport } from './server-transport.ts';

/** A failing server is asked last for this long, so that each request does not wait for it. */
const RESTS_MS = 60_000;
const RETRIES = 1;
/** How servers word it: geth, Erigon, Nethermind, anvil, and the proxies in front of them. */
const UNKNOWN_BLOCK =
  /unknown block|unknown header|(block|header|resource|hash)( for hash)?( is)? ?(was )?not (be )?(found|available)|block ?out ?of ?range|not currently canonical|missing block/i;

/** The servers of one chain. Behind the address of one there may be many nodes, which are not equally far. */
export interface ChainServers {
  configured: readonly PublicClient[];
  /** In the configured order; those that failed within a minute last. */
  inOrder(): PublicClient[];
  /** The same without those. */
  healthy(): PublicClient[];
  /**
   * The answer of the first server that gives one.
   * @throws the first failure; an unknown block only when no server fails otherwise
   */
  ask<T>(question: (server: PublicClient) => Promise<T>): Promise<T>;
  /** Notes that a server does not answer. Its refusals do not count: it is alive. */
  recordFailure(server: PublicClient, error: unknown): void;
}

export function createChainServers({
  rpcUrls,
  timeoutMs,
  chainId,
  now = Date.now,
}: {
  rpcUrls: readonly string[];
  chainId?: number | undefined;
  timeoutMs: number;
  now?: () => number;
}): ChainServers {
  const servers: PublicClient[] = [...new Set(rpcUrls)].map((url) =>
    createPublicClient({
      transport: serverTransport(url, { timeout: timeoutMs, retryCount: RETRIES, chainId }),
    }),
  );
  const failedAt = new Map<PublicClient, number>();
  const isResting = (server: PublicClient) => now() - (failedAt.get(server) ?? -RESTS_MS) < RESTS_MS;
  const inOrder = () => [
    ...servers.filter((server) => !isResting(server)),
    ...servers.filter((server) => isResting(server)),
  ];
  const recordFailure = (server: PublicClient, error: unknown) => {
    if (isSilence(error)) failedAt.set(server, now());
  };
  return {
    configured: servers,
    inOrder,
    healthy: () => servers.filter((server) => !isResting(server)),
    recordFailure,
    async ask(question) {
      let failure: unknown;
      for (const server of inOrder())
        try {
          return await question(server);
        } catch (error) {
          recordFailure(server, error);
          if (failure === undefined || isUnknownBlock(failure)) failure = error;
        }
      throw failure;
    },
  };
}

/** Whether an error says that the server does not know a block yet: it lags, and proves nothing. */
export function isUnknownBlock(error: unknown): boolean {
  if (!(error instanceof BaseError)) return error instanceof UnknownBlock;
  if (error.walk((cause) => cause instanceof BlockNotFoundError || cause instanceof UnknownBlock))
    return true;
  return UNKNOWN_BLOCK.test(sentenceOf(error));
}

/** A server answered about another block, or with nothing at all. */
export class UnknownBlock extends Error {}

/** What a server itself said; otherwise what went wrong with it. */
export function sentenceOf(error: unknown): string {
  const { details, shortMessage, message } = error as {
    details?: string;
    shortMessage?: string;
    message?: string;
  };
  return details || shortMessage || message || 'unknown error';
}

/**
 * Whether a server refuses the width of a request for logs. There is no common code or wording ("range 301 exceeds limit
 * of 100", "query returned more than 10000 results", "Try with this block range"), so every refusal counts that is
 * neither about the number of requests nor about the key. So does a time-out: a narrower range takes less time.
 */
export function isRangeRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError) || isUnknownBlock(error)) return false;
  if (NOT_ABOUT_RANGES.test(sentenceOf(error))) return false;
  const http = walkTo(error, 'HttpRequestError') as { status?: number } | null;
  if (http) return http.status !== undefined && REFUSED_STATUSES.has(http.status);
  return (
    error.walk((cause) => typeof (cause as { code?: unknown }).code === 'number') !== null ||
    walkTo(error, 'TimeoutError') !== null ||
    walkTo(error, 'ResponseBodyTooLargeError') !== null
  );
}

const NOT_ABOUT_RANGES =
  /rate.?limit|too many requests|per second|per minute|throttl|quota|credit|capacity|unauthori|api.?key|method .*not/i;
/** Of servers that refuse without an answer of JSON-RPC: Bad Request, Content Too Large. */
const REFUSED_STATUSES = new Set([400, 413]);

/**
 * Whether an error is the server's: it says nothing about the contract that was asked. What a contract reverts with could
 * read like one.
 */
export const isOfServer = (error: unknown): boolean =>
  error instanceof BaseError &&
  (walkTo(error, 'HttpRequestError') !== null ||
    walkTo(error, 'TimeoutError') !== null ||
    isUnknownBlock(error) ||
    NOT_ABOUT_RANGES.test(sentenceOf(error)));

/** No answer of a node: a lost connection, a time-out, or a status of a proxy. */
function isSilence(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    !isRangeRefusal(error) &&
    (walkTo(error, 'HttpRequestError') !== null || walkTo(error, 'TimeoutError') !== null)
  );
}

const walkTo = (error: BaseError, name: string) => error.walk((cause) => (cause as Error).name === name);
