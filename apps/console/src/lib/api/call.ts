import type { Call, CallAnswer, CallInput, Contract } from '@copydesk/contract';
import {
  ApiError,
  errorInAnswer,
  isFactorMissing,
  isRecentAuthWanted,
  networkError,
  notConfirmed,
  timeoutError,
  withoutToken,
} from './api-error.ts';
import { failureTextOf } from './failure-texts.ts';
import { parseWithNames } from './isolate-names.ts';

/** Calls that answer a stream have no JSON body; they go through `open`. */
export type JsonCall = { [K in Call]: [CallAnswer<K>] extends [never] ? never : K }[Call];

type RequiredParts<I> = { [P in keyof I]: Record<string, never> extends I[P] ? never : P }[keyof I];
/** Parts without required fields may be left out; a call without inputs takes only `signal`. */
type Input<K extends Call> = Pick<CallInput<K>, RequiredParts<CallInput<K>>> &
  Partial<CallInput<K>> & { signal?: AbortSignal; recentAuth?: RecentAuth } & OnceOnly<K>;
/** Whether a call may ask the person for a proof or a second factor; calls that the person did not trigger may not. */
export type RecentAuth = 'ask' | 'do-not-ask';
/**
 * One action has one key, however often it is sent (`useOnceKey`). Only calls that honour a key take one, and each of
 * them has to; null: the call changes nothing.
 */
type OnceOnly<K extends Call> = Contract[K] extends { idempotent: true }
  ? { idempotencyKey: string | null }
  : unknown;
type Arguments<K extends Call> = [RequiredParts<CallInput<K>>] extends [never]
  ? [input?: Input<K>]
  : [input: Input<K>];

/** The client's requirements of the identity service. */
export interface Credentials {
  getToken(options?: { force?: boolean }): Promise<string | null>;
  /** The server refused even a fresh token: the session has ended. */
  onLost(): void;
  /**
   * Asks the person to authenticate again, once for all calls that need it; afterwards `getToken` returns a token with
   * the new proof.
   * @returns false when the person declines
   */
  confirmRecentAuth(): Promise<boolean>;
  /** The account has no second factor, and the person wanted something that needs one. */
  onFactorMissing(): void;
}

/** Console spec, section 7. Exports and the event stream have no limit. */
const TIMEOUT_MS = 10_000;

interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  recentAuth?: RecentAuth;
  idempotencyKey?: string | null;
  /** Ends each attempt after this long; undefined: never. */
  timeoutMs?: number;
}

/** Method and address of `GET /api/traders/{id}` with its inputs. */
export function addressOf(key: Call, { params = {}, query = {} }: LooseInput) {
  const space = key.indexOf(' ');
  const path = key
    .slice(space + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return { method: key.slice(0, space), url: search.size > 0 ? `${path}?${search}` : path };
}

/** Runs until it ends, the caller gives up, or the time limit is reached. @throws ApiError `timeout` */
async function inTime<T>(
  { signal, timeoutMs }: Pick<LooseInput, 'signal' | 'timeoutMs'>,
  run: (signal: AbortSignal | null) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return run(signal ?? null);
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  try {
    return await run(signal ? AbortSignal.any([signal, timer.signal]) : timer.signal);
  } catch (error) {
    if (timer.signal.aborted && !signal?.aborted) throw timeoutError();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

/** An answer with its body: the time limit also covers a body that stalls. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** An answer: what it says, once it is known to be a success, or the failure. */
interface Judged {
  response: Response;
  /** Null: a stream, which the caller reads. */
  body: unknown;
  failure: ApiError | null;
}

/** Every answer passes here: `success: false` is a failure with any status, and so is a body that cannot be read. */
async function judge(key: Call, response: Response): Promise<Judged> {
  const isStream = response.ok && STREAM.test(response.headers.get('content-type') ?? '');
  if (isStream) return { response, body: null, failure: null };
  const body = parsed(await response.text(), response.ok);
  return { response, body, failure: errorInAnswer(response, body, failureTextOf(key)) };
}

/** @returns null for what is no JSON */
function parsed(text: string, isSuccess: boolean): unknown {
  try {
    return isSuccess ? parseWithNames(text) : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The media types of streams (`answer` of the contract's entries). */
const STREAM = /^(text\/(csv|event-stream)|application\/pdf)\b/;

/** The client derived from the contract: the key is the whole address, and its entry gives the types. */
export function createClient(credentials: () => Credentials | null, send: typeof fetch) {
  async function attempt(key: Call, input: LooseInput, token: string | null): Promise<Response> {
    const { method, url } = addressOf(key, input);
    const headers = new Headers();
    if (token) headers.set('authorization', `Bearer ${token}`);
    if (input.body !== undefined) headers.set('content-type', 'application/json');
    if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey);
    try {
      const body = input.body === undefined ? null : JSON.stringify(input.body);
      return await inTime(input, async (signal) => {
        const response = await send(url, { method, headers, body, signal });
        return input.timeoutMs === undefined ? response : await readWhole(response);
      });
    } catch (error) {
      if (input.signal?.aborted || error instanceof ApiError) throw error;
      throw networkError();
    }
  }

  async function request(key: Call, input: LooseInput): Promise<Judged> {
    const current = credentials();
    const token = (await current?.getToken()) ?? null;
    let response = await attempt(key, input, token);
    if (response.status === 401 && current && token) {
      const renewed = await current.getToken({ force: true });
      if (renewed) response = await attempt(key, input, renewed);
      if (response.status === 401) current.onLost();
    }
    const judged = await judge(key, response);
    const { failure } = judged;
    if (!failure) return judged;
    if (failure.code === 'missing_token' && !token) throw withoutToken(failure, current !== null);
    if (!current || input.recentAuth === 'do-not-ask') throw failure;
    if (isFactorMissing(failure)) current.onFactorMissing();
    if (!isRecentAuthWanted(failure)) throw failure;
    return afterRecentAuth(key, input, { current, refused: token });
  }

  /** Repeats a call once, after the person has authenticated again, for this call or for another one meanwhile. */
  async function afterRecentAuth(
    key: Call,
    input: LooseInput,
    { current, refused }: { current: Credentials; refused: string | null },
  ): Promise<Judged> {
    const known = await current.getToken();
    if (known !== refused) {
      const judged = await judge(key, await attempt(key, input, known));
      if (!judged.failure) return judged;
      if (!isRecentAuthWanted(judged.failure)) throw judged.failure;
    }
    if (!(await current.confirmRecentAuth())) throw notConfirmed();
    const judged = await judge(key, await attempt(key, input, await current.getToken()));
    if (judged.failure) throw judged.failure;
    return judged;
  }

  return {
    async call<K extends JsonCall>(key: K, ...[input]: Arguments<K>): Promise<CallAnswer<K>> {
      const { body } = await request(key, { timeoutMs: TIMEOUT_MS, ...((input ?? {}) as LooseInput) });
      return body as CallAnswer<K>;
    },
    /** A call that answers a stream: the response itself, once it is known to be a success. */
    async open<K extends Exclude<Call, JsonCall>>(key: K, ...[input]: Arguments<K>): Promise<Response> {
      return (await request(key, (input ?? {}) as LooseInput)).response;
    },
  };
}
