import { type Call, type CallAnswer, type CallInput, contract } from '@copydesk/contract';
import { onTestFinished } from 'vitest';
import type { JsonCall } from '../lib/api/call.ts';

/** What a screen sent: parameters of the path, of the query, the body, and the key that makes it happen once. */
export interface Sent {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  key: string | null;
}

type Result<K extends JsonCall> = CallAnswer<K> | Refusal;
/** An answer, or what makes one of each request. Types and schema are those of the contract. */
export type Answers = {
  [K in JsonCall]?: Result<K> | ((sent: SentTo<K>) => Result<K> | Promise<Result<K>>);
} & { [K in Exclude<Call, JsonCall>]?: Blob | Refusal };
type SentTo<K extends JsonCall> = Sent & { body: CallInput<K> extends { body: infer B } ? B : unknown };

/** An answer other than success. */
export interface Refusal {
  refusal: number;
  error: string;
  message: string;
  details?: readonly RefusedDetail[];
}

/** What is wrong with one field, or one obstacle. */
interface RefusedDetail {
  path: string;
  message: string;
}

export const refuse = (
  status: number,
  error = 'refused',
  message = 'No',
  details?: readonly RefusedDetail[],
): Refusal => ({ refusal: status, error, message, ...(details && { details }) });

/** Answers of the library for sign-in, whose calls are in no contract, by their path below `/api/auth/`. */
export type AuthAnswers = Record<string, (sent: unknown) => unknown>;
const AUTH = /^\/api\/auth\/(.+)$/;
/** Those of the test that runs: the library keeps the `fetch` that it was loaded with, in whichever test that was. */
let present: { auth: AuthAnswers; faults: string[] } = { auth: {}, faults: [] };

function answerAuth(path: string, init?: RequestInit): Response {
  const { auth, faults } = present;
  const answer = auth[path];
  if (!answer) faults.push(`no answer for /api/auth/${path}`);
  const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
  const result = answer ? answer(sent) : refuse(500);
  return isRefusal(result) ? reply(result.refusal, result) : Response.json(result);
}

/** An answer that does not come. */
export const never = () => new Promise<never>(() => {});

interface Route {
  key: Call;
  method: string;
  pattern: RegExp;
}

/** Fixed paths before those with parameters: `/api/payments/unmatched` is no payment. */
const ROUTES: Route[] = (Object.keys(contract) as Call[])
  .map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { key, method, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
  })
  .sort((a, b) => parametersOf(a.key) - parametersOf(b.key));

function parametersOf(key: Call): number {
  return key.split('{').length;
}

/**
 * Answers the calls of this test in place of a server, and holds every answer against the contract. A call without an
 * answer fails the test.
 * @returns what was sent so far, and how to answer otherwise from now on
 */
export function serveCalls(
  initial: Answers,
  { breaksContract = false, auth = {} }: { breaksContract?: boolean; auth?: AuthAnswers } = {},
) {
  let answers = initial;
  const requests: { key: Call; sent: Sent }[] = [];
  const faults: string[] = [];
  present = { auth, faults };
  const ownFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    const method = init?.method ?? 'GET';
    const route = ROUTES.find((each) => each.method === method && each.pattern.test(url.pathname));
    const authPath = AUTH.exec(url.pathname)?.[1];
    if (!route && authPath) return answerAuth(authPath, init);
    if (!route) return ownFetch(input, init);
    const sent: Sent = {
      params: { ...route.pattern.exec(url.pathname)?.groups },
      query: Object.fromEntries(url.searchParams),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      key: new Headers(init?.headers).get('idempotency-key'),
    };
    requests.push({ key: route.key, sent });
    // Changes of a running product are a stream; none come.
    if (route.key === 'GET /api/events') return untilAborted(init?.signal);
    const answer: unknown = answers[route.key];
    if (answer === undefined) {
      faults.push(`no answer for ${route.key}`);
      return reply(500, refuse(500, 'unanswered', `The test has no answer for ${route.key}`));
    }
    const made = typeof answer === 'function' ? answer(sent) : answer;
    const result: unknown = await Promise.race([made, untilAborted(init?.signal)]);
    if (isRefusal(result)) return reply(result.refusal, result);
    // A file, of a call whose answer is a stream.
    if (result instanceof Blob) return new Response(result);
    const problem = breaksContract ? null : contractProblem(route.key, result);
    if (problem) faults.push(problem);
    return Response.json(result);
  };
  onTestFinished(() => {
    globalThis.fetch = ownFetch;
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return {
    /** All that was sent of a call, in order. */
    sentTo: (key: Call) => requests.filter((request) => request.key === key).map(({ sent }) => sent),
    /** Every call that was sent. */
    sentKeys: () => requests.map(({ key }) => key),
    answer(changed: Answers) {
      answers = { ...answers, ...changed };
    },
  };
}

function contractProblem(key: Call, result: unknown): string | null {
  const { answer } = contract[key];
  if ('stream' in answer) return null;
  const { error } = answer.safeParse(result);
  return error ? `the answer of ${key} is not that of the contract: ${error.message}` : null;
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'refusal' in result;

const reply = (status: number, { refusal: _, ...refused }: Refusal) =>
  Response.json({ success: false, ...refused }, { status });

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, fail) => {
    signal?.addEventListener('abort', () => fail(signal.reason));
  });
}
