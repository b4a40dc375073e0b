import { randomUUID } from 'node:crypto';
import { sign } from '../venues/signing/signatures.ts';

/** Where the bot reports that it has obeyed. */
export interface Acknowledge {
  url: string;
  /** The bot's service token, as `Bot_...`; undefined: the signature alone. */
  token?: string | undefined;
  /** The bot's own secret. */
  secret: string;
  /** Time between two attempts, until one is answered with 2xx. */
  retryMs?: number;
}

const MOST_ATTEMPTS = 20;
const TIMEOUT_MS = 5_000;

/** Sends acknowledgements until they are accepted. Each attempt has a signature of its own time. */
export function createAcknowledger({ url, token, secret, retryMs = 3_000 }: Acknowledge, now: () => number) {
  const stopping = new AbortController();

  async function attempt(text: string, nth: number): Promise<void> {
    const time = Math.floor(now() / 1_000);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'trading-bot-signature': `t=${time},v1=${sign(secret, `${time}.${text}`, 'hex')}`,
      ...(token === undefined ? {} : { authorization: token }),
    };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(url, { method: 'POST', headers, body: text, signal }).catch(() => null);
    if (answer?.ok || nth >= MOST_ATTEMPTS || stopping.signal.aborted) return;
    setTimeout(() => void attempt(text, nth + 1), retryMs).unref();
  }

  return {
    send({
      requestId,
      poolId,
      state,
    }: {
      requestId: string;
      poolId: string;
      state: 'paused' | 'trading';
    }): void {
      const event = {
        event_id: randomUUID(),
        request_id: requestId,
        pool_id: poolId,
        state,
        at: new Date(now()).toISOString(),
      };
      void attempt(JSON.stringify(event), 1);
    },
    stop: () => stopping.abort(),
  };
}
