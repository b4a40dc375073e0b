import type { CcxtInstance } from './ccxt/load-ccxt.ts';
import { describeFailure, listCcxtCodes } from './errors/describe-failure.ts';
import { GatewayError } from './gateway.ts';
import type { Breaker } from './limits/breaker.ts';
import type { Lane, RequestQueue } from './limits/request-queue.ts';
import type { TokenBucket } from './limits/token-bucket.ts';
import { type CallRecord, currentCall } from './transport/current-call.ts';
import type { Endpoint, Venue } from './venue.ts';

interface CallOptions {
  instance: () => Promise<CcxtInstance>;
  lane: Lane;
  account: TokenBucket | null;
}

export type CallVenue = (
  endpoint: Endpoint,
  params: Record<string, unknown>,
  options: CallOptions,
) => Promise<unknown>;

/** Counts that only grow. */
export interface CallCounters {
  requests: number;
  weight: number;
  failures: number;
}

interface FailedCall {
  endpoint: Endpoint;
  ccxt: CcxtInstance;
  record: CallRecord;
  account: TokenBucket | null;
  isProbe: boolean;
}

type ImplicitMethod = (params: Record<string, unknown>) => Promise<unknown>;

/** Sends one call once limits and breaker allow it, and reports the result to them. */
export function createCallVenue(options: {
  venue: Venue;
  now: () => number;
  breaker: Breaker;
  queue: RequestQueue;
  bucket: TokenBucket;
  counters: CallCounters;
  /** Called with a code that no list of the venue has. */
  onUnknownCode: (endpoint: Endpoint, code: string) => void;
}): CallVenue {
  const { venue, now, breaker, queue, bucket, counters, onUnknownCode } = options;
  let listed: ReturnType<typeof listCcxtCodes> | null = null;

  function recordFailure(
    thrown: unknown,
    { endpoint, ccxt, record, account, isProbe }: FailedCall,
  ): GatewayError {
    listed ??= listCcxtCodes(ccxt.exceptions);
    const known = listed;
    const { error, limited, unknownCode } = describeFailure(thrown, record, {
      venue: venue.errors,
      problemInLists: (code) => known.get(code) ?? null,
      nowMs: now(),
    });
    if (unknownCode !== null) onUnknownCode(endpoint, unknownCode);
    counters.failures += 1;
    if (limited === 'account' && account) account.pause(error.retryAfterMs ?? 0);
    else if (limited !== null) breaker.pause(error.retryAfterMs ?? 0);
    if (error.code === 'venue_unavailable' || error.code === 'timeout') breaker.failed();
    else if (record.answer && error.code !== 'bad_response') breaker.succeeded();
    else breaker.left(isProbe);
    return error;
  }

  function spend(weight: number, account: TokenBucket | null): void {
    bucket.spend(weight);
    account?.spend(weight);
    counters.weight += weight;
  }

  return async (endpoint, params, { instance, lane, account }) => {
    const refusal = breaker.refusal();
    if (refusal) throw refusal;
    const ccxt = await instance();
    const method = ccxt[endpoint.method] as ImplicitMethod | undefined;
    if (!method) throw new GatewayError('unsupported');
    await queue.wait({ weight: endpoint.weight, lane, account });
    const { isProbe } = breaker.enter();
    const record: CallRecord = { sent: 0, answer: null, posts: endpoint.posts ?? null };
    counters.weight += endpoint.weight;
    try {
      const answer = await currentCall.run(record, () => method(params));
      breaker.succeeded();
      const extra = endpoint.extraWeight?.(answer) ?? 0;
      if (extra > 0) spend(extra, account);
      return answer;
    } catch (thrown) {
      throw recordFailure(thrown, { endpoint, ccxt, record, account, isProbe });
    } finally {
      counters.requests += record.sent;
      if (record.sent > 1) spend(endpoint.weight, account);
    }
  };
}
