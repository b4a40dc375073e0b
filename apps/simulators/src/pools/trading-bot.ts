import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequest } from '../venues/http/read-request.ts';
import { sendAnswer } from '../venues/http/send-answer.ts';
import { serve } from '../venues/http/serve.ts';
import { isSame, sign } from '../venues/signing/signatures.ts';
import type { ReceivedAnswer, VenueRequest } from '../venues/venue.ts';
import { type Acknowledge, createAcknowledger } from './acknowledge.ts';
import type { SimulatedPools } from './create-pools.ts';

/**
 * `silent` obeys and never acknowledges; `deaf` accepts and does nothing; `down` answers 503; `leaves_positions` pauses
 * without closing positions.
 */
export const BOT_BEHAVIOURS = ['obedient', 'silent', 'deaf', 'down', 'leaves_positions'] as const;
export type BotBehaviour = (typeof BOT_BEHAVIOURS)[number];

export interface TradingBotOptions {
  pools: SimulatedPools;
  /** The account of a pool, by the id in requests; null: the bot does not know the pool. */
  uidOf(poolId: string): string | null;
  /** Verifies requests. */
  secret: string;
  acknowledge: Acknowledge;
  /** From accepting a command to having obeyed it. */
  delayMs?: number;
  /** Time between two trades of a pool. */
  tradeEveryMs?: number;
  now?: () => number;
  /** 0: any free port. */
  port?: number;
}

export interface RunningTradingBot {
  /** Takes the requests of docs/trading-bot.md. */
  url: string;
  behave(behaviour: BotBehaviour): void;
  close(): Promise<void>;
}

interface PoolCommands {
  state: 'trading' | 'pausing' | 'paused' | 'resuming';
  since: number;
  last: { requestId: string; requestedAt: number } | null;
}

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const TOLERANCE_MS = 300_000;
const CONTROL_PATH = '/__behaviour';

/** A bot that trades pools and obeys signed requests, as docs/trading-bot.md describes them. */
export async function startTradingBot(options: TradingBotOptions): Promise<RunningTradingBot> {
  const { pools, uidOf, secret, delayMs = 2_000, tradeEveryMs = 60_000, now = Date.now, port = 0 } = options;
  const acknowledger = createAcknowledger(options.acknowledge, now);
  const commands = new Map<string, PoolCommands>();
  const planned = new Set<NodeJS.Timeout>();
  let behaviour: BotBehaviour = 'obedient';

  function commandsOf(poolId: string, uid: string): PoolCommands {
    const known = commands.get(poolId);
    if (known) return known;
    const state = pools.get(uid).trading ? 'trading' : 'paused';
    const first: PoolCommands = { state, since: now(), last: null };
    commands.set(poolId, first);
    return first;
  }

  function isGenuine({ headers, body }: VenueRequest): boolean {
    const [, time = '', given = ''] = SIGNATURE.exec(headers['copydesk-signature'] ?? '') ?? [];
    const isRecent = Math.abs(now() - Number(time) * 1_000) <= TOLERANCE_MS;
    return time !== '' && isRecent && isSame(given, sign(secret, `${time}.${body}`, 'hex'));
  }

  function obey(poolId: string, uid: string, command: 'pause' | 'resume', requestId: string): void {
    const own = commandsOf(poolId, uid);
    if (behaviour === 'deaf' || own.last?.requestId !== requestId) return;
    if (command === 'resume') pools.startTrading(uid, tradeEveryMs);
    else if (behaviour !== 'leaves_positions') pools.stopTrading(uid);
    own.state = command === 'pause' ? 'paused' : 'trading';
    own.since = now();
    if (behaviour !== 'silent') acknowledger.send({ requestId, poolId, state: own.state });
  }

  function accept(poolId: string, uid: string, asked: Record<string, unknown>): ReceivedAnswer {
    const { type, request_id: requestId, requested_at: time } = asked;
    const requestedAt = Date.parse(String(time));
    if (typeof requestId !== 'string' || Number.isNaN(requestedAt)) return refuse(400, 'invalid_request');
    const own = commandsOf(poolId, uid);
    const accepted = { status: 202, body: { request_id: requestId, status: 'accepted' } };
    if (own.last?.requestId === requestId) return accepted;
    if (own.last && requestedAt < own.last.requestedAt) return refuse(409, 'superseded');
    own.last = { requestId, requestedAt };
    own.state = type === 'pause' ? 'pausing' : 'resuming';
    own.since = now();
    const timer = setTimeout(() => {
      planned.delete(timer);
      obey(poolId, uid, type as 'pause' | 'resume', requestId);
    }, delayMs);
    planned.add(timer);
    return accepted;
  }

  function answer(request: VenueRequest): ReceivedAnswer {
    if (request.path === CONTROL_PATH) return control(request);
    if (behaviour === 'down') return refuse(503, 'unavailable');
    if (!isGenuine(request)) return refuse(401, 'invalid_signature');
    const asked = JSON.parse(request.body) as Record<string, unknown>;
    const { type, pool_id: poolId } = asked;
    const uid = typeof poolId === 'string' ? uidOf(poolId) : null;
    if (typeof poolId !== 'string' || uid === null) return refuse(404, 'unknown_pool');
    if (type === 'pause' || type === 'resume') return accept(poolId, uid, asked);
    if (type !== 'status') return refuse(400, 'invalid_request');
    const { state, since, last } = commandsOf(poolId, uid);
    const body = { state, since: new Date(since).toISOString(), request_id: last?.requestId ?? null };
    return { status: 200, body };
  }

  /** `POST /__behaviour` with one of them as text, from this machine only. */
  function control({ ip, method, body }: VenueRequest): ReceivedAnswer {
    if (!/^(127\.|::1$)/.test(ip)) return { status: 403, body: { error: 'from this machine only' } };
    const wanted = BOT_BEHAVIOURS.find((one) => one === body.trim());
    if (method === 'POST' && !wanted) return refuse(400, `one of ${BOT_BEHAVIOURS.join(', ')}`);
    if (wanted) behaviour = wanted;
    return { status: 200, body: { behaviour } };
  }

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    sendAnswer(response, request ? answer(request) : refuse(413, 'too long'));
  }

  const server = await serve(answerRequest, { port });
  return {
    url: server.url,
    behave: (next) => {
      behaviour = next;
    },
    async close() {
      for (const timer of planned) clearTimeout(timer);
      acknowledger.stop();
      await server.close();
    },
  };
}

const refuse = (status: number, error: string): ReceivedAnswer => ({ status, body: { error } });
