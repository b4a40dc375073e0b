import { type Dispatcher, request } from 'undici';
import { GatewayError } from '../gateway.ts';
import { connectionFailure, wasReset } from './connection-failure.ts';
import { currentCall } from './current-call.ts';
import { readBody } from './read-body.ts';

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
