import { Worker } from 'node:worker_threads';
import { inSpan } from '../../platform/observe/tracing.ts';
import type { CountingGateway } from './create-gateway.ts';
import { GatewayError, type GatewaySettings } from './gateway.ts';
import type { NoteVenue } from './notices.ts';
import {
  rebuildError,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadNews,
  type ThreadOrder,
  type ThreadRequest,
} from './thread-protocol.ts';

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
/** Memory limit of a thread that goes wrong. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };

interface Thread {
  worker: Worker;
  pending: Map<number, { resolve: (value: unknown) => void; reject: (error: GatewayError) => void }>;
}

/**
 * The gateway in a thread of its own: importing ccxt blocks for up to a second and long answers are parsed at once,
 * neither of which may block a process that serves people. The thread starts with the first call. When it ends, calls
 * under way fail as `venue_unavailable`, and the next call starts a new one: at once, or after a pause when threads
 * keep ending.
 */
export function createThreadedGateway(
  settings: GatewaySettings,
  {
    now = Date.now,
    file = new URL('./gateway-thread.ts', import.meta.url),
    onNotice = () => {},
  }: { now?: () => number; file?: URL; onNotice?: NoteVenue } = {},
): CountingGateway {
  let thread: Thread | null = null;
  let restMs = 0;
  let restUntil = 0;
  let isClosed = false;
  let lastId = 0;

  function ended(gone: Thread): void {
    for (const { reject } of gone.pending.values()) reject(new GatewayError('venue_unavailable'));
    gone.pending.clear();
    if (thread !== gone) return;
    thread = null;
    restUntil = now() + restMs;
    restMs = Math.min(Math.max(restMs * 2, FIRST_REST_MS), LONGEST_REST_MS);
  }

  function settle(of: Thread, reply: ThreadAnswer): void {
    const waiting = of.pending.get(reply.id);
    of.pending.delete(reply.id);
    if (of.pending.size === 0) of.worker.unref();
    if ('error' in reply) waiting?.reject(rebuildError(reply.error));
    else waiting?.resolve(reply.value);
    restMs = 0;
  }

  function start(): Thread {
    // Its environment stays empty: the thread does not need our own secrets.
    const options = { workerData: settings, env: {}, execArgv: [], resourceLimits: RESOURCE_LIMITS };
    const started: Thread = { worker: new Worker(file, options), pending: new Map() };
    started.worker.on('message', (reply: ThreadAnswer | ThreadNews) =>
      'notice' in reply ? onNotice(reply.notice) : settle(started, reply),
    );
    // The error may quote signed content, so it is not read.
    for (const event of ['error', 'messageerror', 'exit']) started.worker.on(event, () => ended(started));
    started.worker.unref();
    return started;
  }

  const ask = <T>(call: ThreadCall, args: unknown[]): Promise<T> =>
    inSpan(`exchange ${call}`, { kind: 'client' }, () => send<T>(call, args));

  function send<T>(call: ThreadCall, args: unknown[]): Promise<T> {
    const waitMs = restUntil - now();
    if (isClosed || (thread === null && waitMs > 0)) {
      const retryAfterMs = isClosed ? null : waitMs;
      return Promise.reject(new GatewayError('venue_unavailable', { retryAfterMs }));
    }
    thread ??= start();
    const { worker, pending } = thread;
    lastId += 1;
    const request: ThreadRequest = { id: lastId, call, args };
    return new Promise<T>((resolve, reject) => {
      pending.set(request.id, { resolve: resolve as (value: unknown) => void, reject });
      // The process stays alive while a caller waits.
      worker.ref();
      worker.postMessage(request);
    });
  }

  return {
    verify: (...args) => ask('verify', args),
    equity: (...args) => ask('equity', args),
    openPositions: (...args) => ask('openPositions', args),
    closedPositions: (...args) => ask('closedPositions', args),
    keyInfo: (...args) => ask('keyInfo', args),
    pools: {
      readKey: (...args) => ask('pools.readKey', args),
      findKey: (...args) => ask('pools.findKey', args),
      readDepositAddress: (...args) => ask('pools.readDepositAddress', args),
      listDeposits: (...args) => ask('pools.listDeposits', args),
      listWithdrawals: (...args) => ask('pools.listWithdrawals', args),
      readBalances: (...args) => ask('pools.readBalances', args),
      moveToUnified: (...args) => ask('pools.moveToUnified', args),
      findTransfer: (...args) => ask('pools.findTransfer', args),
      listPositions: (...args) => ask('pools.listPositions', args),
      countOpenOrders: (...args) => ask('pools.countOpenOrders', args),
      listClosedPnl: (...args) => ask('pools.listClosedPnl', args),
      sumTransactionLog: (...args) => ask('pools.sumTransactionLog', args),
      readCoin: (...args) => ask('pools.readCoin', args),
    },
    usage: () => (thread ? ask('usage', []) : Promise.resolve({})),
    forget(accountKey) {
      thread?.worker.postMessage({ forget: accountKey } satisfies ThreadOrder);
    },
    async close() {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}
