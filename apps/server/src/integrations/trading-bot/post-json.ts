import { request } from 'undici';
import { TradingBotError } from './gateway.ts';

export interface PostedAnswer {
  status: number;
  retryAfter: string | null;
  /** Parsed JSON; undefined: the body is something else. */
  body: unknown;
}

/** The longest answer of the bot has some hundred bytes. */
const MAX_BYTES = 64 * 1024;

/** Posts JSON once: no redirect is followed, and nothing is sent again. Throws TradingBotErrors only. */
export async function postJson(
  url: string,
  { text, headers, timeoutMs }: { text: string; headers: Record<string, string>; timeoutMs: number },
): Promise<PostedAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new TradingBotError('bad_response');
      chunks.push(chunk);
    }
    const retryAfter = response.headers['retry-after'];
    return {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      body: parse(Buffer.concat(chunks).toString('utf8')),
    };
  } catch (error) {
    if (error instanceof TradingBotError) throw error;
    // The cause may quote the request, signature included.
    throw new TradingBotError(signal.aborted ? 'timeout' : 'unavailable');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
