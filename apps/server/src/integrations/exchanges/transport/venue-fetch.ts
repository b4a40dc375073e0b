import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { GatewayError } from '../gateway.ts';
import { currentCall } from './current-call.ts';

interface FetchRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** The part of fetch that ccxt uses. */
export type VenueFetch = (
  url: string,
  request: FetchRequest,
) => Promise<{
  status: number;
  statusText: string;
  headers: Record<string, string>;
  text: () => Promise<string>;
}>;

/** The only requests that may be sent, besides the POST that a call declares, whatever else ccxt attempts. */
export type RequestRule = (method: string, pathname: string) => boolean;

/**
 * Sends a request for ccxt. The timeout in `signal` applies until the last byte; redirects are refused; a GET whose
 * connection was reset before an answer began is sent once more, with the same signature. Throws only GatewayErrors,
 * which ccxt lets through.
 */
export function createVenueFetch(dispatcher: Dispatcher, isAllowed: RequestRule): VenueFetch {
  async function send(url: string, { method, headers, body, signal }: FetchRequest) {
    const record = currentCall.getStore();
    const options = {
      dispatcher,
      method,
      headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
      body: body ?? null,
      signal,
    };
    try {
      if (record) record.sent += 1;
      return await request(url, options);
    } catch (error) {
      if (method !== 'GET' || signal.aborted || !wasReset(error)) throw error;
      if (record) record.sent += 1;
      return await request(url, options);
    }
  }

  return async (url, asked) => {
    const { pathname } = new URL(url);
    const isOwnPost = asked.method === 'POST' && currentCall.getStore()?.posts === pathname;
    if (!isOwnPost && !isAllowed(asked.method, pathname)) throw new GatewayError('unsupported');
    try {
      const response = await send(url, asked);
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]),
      );
      const { statusCode: status } = response;
      const body = await readBody(response.body, headers['content-encoding'] ?? '');
      if (status >= 300 && status < 400) throw new GatewayError('bad_response');
      const record = currentCall.getStore();
      if (record) record.answer = { status, headers, body };
      return { status, statusText: '', headers, text: async () => body };
    } catch (error) {
      throw connectionFailure(error, asked.signal);
    }
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The connection was cut: typically a kept-alive one that the venue closed at the moment of use. */
const wasReset = (error: unknown): boolean => RESETS.has(codeOf(error));

/** Why no answer came, in our own words. */
function connectionFailure(error: unknown, signal: AbortSignal): GatewayError {
  if (error instanceof GatewayError) return error;
  if (signal.aborted) return new GatewayError('timeout');
  const code = codeOf(error);
  // A key with characters that a header cannot contain is not one of the venue's.
  if (code === 'UND_ERR_INVALID_ARG') return new GatewayError('invalid_credentials');
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return new GatewayError('bad_response');
  if (code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') return new GatewayError('timeout');
  return new GatewayError('venue_unavailable');
}

/** The largest answers, lists of all contracts, have 1 to 2 MB. */
const MAX_BYTES = 8 * 1024 * 1024;

const DECOMPRESS: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
};

/** Reads a body up to 8 MB, before and after unpacking; a larger or broken one is a bad response. */
async function readBody(body: AsyncIterable<Uint8Array>, encoding: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new GatewayError('bad_response');
    chunks.push(chunk);
  }
  const packed = Buffer.concat(chunks);
  const decompress = DECOMPRESS[encoding];
  if (!decompress || packed.length === 0) return packed.toString('utf8');
  try {
    return (await decompress(packed, { maxOutputLength: MAX_BYTES })).toString('utf8');
  } catch {
    throw new GatewayError('bad_response');
  }
}
