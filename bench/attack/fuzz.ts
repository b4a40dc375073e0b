import { createRandom } from '../../apps/simulators/src/world/random.ts';
import { codeOf, problemOf } from './fuzz-check.ts';
import { buildRequest, type FuzzRequest, operationsOf } from './fuzz-requests.ts';
import { createSender } from './fuzz-send.ts';
import type { KnownIds } from './fuzz-world.ts';

/** Headers of a caller; asked for again when its session may have ended. */
export type Caller = () => Promise<Record<string, string>>;

export interface FuzzOptions {
  port: number;
  document: { paths: Record<string, object> };
  /** By name. */
  callers: Record<string, Caller>;
  readIds: () => Promise<KnownIds>;
  requests: number;
  seed: number;
  connections?: number;
  /** No request is sent after it. */
  mostMs: number;
  onProgress?: (sent: number) => void;
}

/** An answer that must not be, with what repeats it: the same seed and number, in the same world. */
export interface Finding {
  problem: string;
  seed: number;
  number: number;
  caller: string;
  request: string;
  body: string;
  answer: string;
  requestId: string;
}

export interface FuzzResult {
  sent: number;
  byStatus: Record<string, number>;
  /** Failures that the contract declares, by code. */
  declared: Record<string, number>;
  operations: number;
  /** Operations that accepted at least one request. */
  accepted: number;
  findings: Finding[];
}

/** Rows come and go while it runs. */
const IDS_EVERY = 2_000;
/** Paths beside the document: of documentation, of no call, and of no page. */
const OTHER_PATHS = [
  '/api/docs',
  '/api/docs/',
  '/api/docs/js/scalar.js',
  '/api/docs/%2e%2e/x',
  '/api/nothing',
  '/x',
  '/',
];

/** Sends requests over every operation as every caller, and collects what must not be answered. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { port, callers, requests, seed, connections = 8, mostMs, onProgress } = options;
  const others = OTHER_PATHS.map((path) => ({ method: 'GET', path, query: [], params: {}, body: null }));
  const operations = [...operationsOf(options.document), ...others];
  const names = Object.keys(callers);
  const sender = createSender(port, connections);
  const byStatus: Record<string, number> = {};
  const declared: Record<string, number> = {};
  const findings: Finding[] = [];
  const accepted = new Set<string>();
  let ids = await options.readIds();
  const deadline = performance.now() + mostMs;
  let next = 0;

  const one = async (number: number) => {
    const random = createRandom(Math.imul(seed, 0x9e3779b1) + number);
    const operation = operations[number % operations.length] as (typeof operations)[number];
    // The callers with the most rights get the furthest.
    const name = random.chance(0.5) ? 'super' : random.pick(names);
    const built = buildRequest(operation, { random, ids });
    const request: FuzzRequest = { ...built, headers: { ...built.headers, ...(await callers[name]?.()) } };
    const answer = await sender
      .send(request)
      .catch((error: Error) => ({ status: 0, headers: {} as Record<string, string>, body: error.message }));
    byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
    if (answer.status >= 200 && answer.status < 300) accepted.add(`${operation.method} ${operation.path}`);
    const problem = answer.status === 0 ? 'no answer' : problemOf(request.method, request.target, answer);
    if (!problem && answer.status >= 500) {
      const code = codeOf(answer.body) ?? 'HEAD';
      declared[code] = (declared[code] ?? 0) + 1;
    }
    if (problem)
      findings.push({
        problem,
        seed,
        number,
        caller: name,
        request: `${request.method} ${request.target}`,
        body: request.body?.toString('latin1') ?? '',
        answer: answer.body.slice(0, 300),
        requestId: String(answer.headers['x-request-id'] ?? ''),
      });
  };
  const work = async () => {
    while (next < requests && performance.now() < deadline) {
      const number = next++;
      if (number > 0 && number % IDS_EVERY === 0) {
        ids = await options.readIds();
        onProgress?.(number);
      }
      await one(number);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, work));
  } finally {
    sender.close();
  }
  return { sent: next, byStatus, declared, operations: operations.length, accepted: accepted.size, findings };
}
