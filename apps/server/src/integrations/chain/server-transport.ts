import { BaseError, HttpRequestError, type HttpTransport, type HttpTransportConfig, http } from 'viem';

interface ServerTransportConfig extends Pick<HttpTransportConfig, 'timeout' | 'retryCount'> {
  /** Whether requests of one turn of the event loop are sent together. */
  isBatched?: boolean;
  /** Answers from servers of another chain are ignored. Unset: any answer counts. */
  chainId?: number | undefined;
}

/** Requests in one batch at first. Providers count each; some refuse more than 100, some more than 10 or 3. */
const BATCH = 100;
/**
 * A server is asked this often for its chain: the server behind an address may change, and a wrong one looks
 * like a fault.
 */
const CHAIN_KNOWN_MS = 5_000;
/** After this many batches in a row that were answered, a larger one is tried. */
const GROW_AFTER = 1_000;

/**
 * HTTP with one server. Its errors reach the log, so they contain neither the full address, which may hold a key (only
 * the host), nor the request, because signed bytes are sent in requests too.
 *
 * Batches shrink until the server answers them: a provider that refuses an array answers with a status, with one error
 * for all, or for some of the requests only, and says nothing about the rest.
 */
export function serverTransport(
  url: string,
  { isBatched = false, chainId, ...config }: ServerTransportConfig,
): HttpTransport {
  const plain = http(url, config);
  /** The size that the server is known to answer. */
  let size = isBatched ? BATCH : 1;
  let answered = 0;
  let known: { at: number; isOurs: Promise<void> } | null = null;
  return (options) => {
    // One transport for each size: viem fixes it when a transport is made.
    const sized = new Map<number, ReturnType<HttpTransport>>();
    const ofSize = (requests: number) => {
      const known = sized.get(requests);
      const transport =
        known ??
        (requests === 1
          ? plain
          : http(url, { ...config, batch: { wait: 0, batchSize: requests }, fetchFn: fetchBatch }))(options);
      if (!known) sized.set(requests, transport as ReturnType<HttpTransport>);
      return transport as ReturnType<HttpTransport>;
    };
    const transport = plain(options);
    const requireOurs = () => {
      if (known && performance.now() - known.at < CHAIN_KNOWN_MS) return known.isOurs;
      const isOurs = request({ method: 'eth_chainId' }).then((id) => {
        if (Number(id) !== chainId)
          throw new HttpRequestError({
            url: new URL(url).host,
            details: `the server is of chain ${Number(id)}, not ${chainId}`,
          });
      });
      known = { at: performance.now(), isOurs };
      isOurs.catch(() => {
        known = null;
      });
      return isOurs;
    };
    const request = (async (...asked: Parameters<typeof transport.request>) => {
      if (chainId !== undefined && asked[0].method !== 'eth_chainId') await requireOurs();
      for (;;) {
        const asOf = size;
        try {
          const answer = await ofSize(asOf).request(...asked);
          answered += 1;
          if (answered >= GROW_AFTER && size > 1 && size < BATCH) {
            size = Math.min(size * 2, BATCH);
            answered = 0;
          }
          return answer;
        } catch (error) {
          if (asOf === 1 || !mayBeTheBatch(error)) {
            for (let each: unknown = error; each instanceof Error; each = each.cause) hush(each, url);
            throw error;
          }
          // All requests of a batch fail alike: the first one halves the size for all.
          if (size === asOf) {
            size = Math.max(1, Math.floor(asOf / 2));
            answered = 0;
          }
        }
      }
    }) as typeof transport.request;
    return { ...transport, request };
  };
}

/** Whether the size of the batch may be the cause: the server answered, but not each request. */
const mayBeTheBatch = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError && cause.status !== undefined) !== null;

/**
 * Fetches the answer to a batch, and makes sure that it has one for each request: answers are matched by their order
 * alone once they are sorted by id.
 * @throws HttpRequestError with the words of the server
 */
const fetchBatch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const asked = JSON.parse(String(init?.body ?? 'null')) as { id: number }[] | { id: number };
  if (!Array.isArray(asked)) return response;
  const text = await response.text();
  const answers = parseAnswers(text);
  const ids = new Set(Array.isArray(answers) ? answers.map((answer) => (answer as { id?: unknown }).id) : []);
  if (ids.size === asked.length && asked.every(({ id }) => ids.has(id)))
    return new Response(text, { status: response.status, headers: response.headers });
  const said = (answers as { error?: { message?: unknown } } | null)?.error?.message;
  throw new HttpRequestError({
    url: String(input),
    status: response.status,
    details:
      typeof said === 'string'
        ? said
        : `no answer to each of ${asked.length} requests: ${text.slice(0, 200)}`,
  });
};

function parseAnswers(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hush(error: Error, url: string): void {
  const { host } = new URL(url);
  const redact = (text: string) =>
    text.replace(/^Request body: .*$/gm, 'Request body: [hidden]').replaceAll(url, host);
  error.message = redact(error.message);
  if (error.stack) error.stack = redact(error.stack);
  // Errors of higher layers repeat these messages.
  if (error instanceof BaseError && error.metaMessages) error.metaMessages = error.metaMessages.map(redact);
}
