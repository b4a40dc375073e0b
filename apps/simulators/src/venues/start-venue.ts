import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { SimulatedPools } from '../pools/create-pools.ts';
import type { WorldAccounts } from '../world/index.ts';
import { createBinance } from './binance/binance.ts';
import { createBybit } from './bybit/bybit.ts';
import { answerPoolsRequest, POOLS_PATH } from './bybit/pools/pools-route.ts';
import { answerFaultRequest, FAULT_PATH } from './faults/fault-route.ts';
import { createFaults, type FaultList, type Faults, isRefusal } from './faults/faults.ts';
import { readRequest } from './http/read-request.ts';
import { createRequestLog, type LoggedRequest, type RequestLog } from './http/request-log.ts';
import { sendAnswer, sendCut, sendMalformed } from './http/send-answer.ts';
import { createHyperliquid } from './hyperliquid/hyperliquid.ts';
import { createKucoin } from './kucoin/kucoin.ts';
import { createRateLimiter, type RateLimits } from './limits/rate-limiter.ts';
import { createOkx } from './okx/okx.ts';
import { type CreateVenue, type ReceivedAnswer, VenueRefusal, type VenueRequest } from './venue.ts';

const VENUES: Record<Exchange, CreateVenue> = {
  bybit: createBybit,
  binance: createBinance,
  okx: createOkx,
  kucoin: createKucoin,
  hyperliquid: createHyperliquid,
};

export interface VenueOptions {
  venue: Exchange;
  accounts: WorldAccounts;
  /** The venue's clock, in ms since 1970. */
  now?: () => number;
  /** 0: any free port. */
  port?: number;
  host?: string;
  /** A number multiplies the documented limits. */
  rateLimits?: RateLimits;
  /** Accounts of pools, for bybit. */
  pools?: SimulatedPools;
  /** The faults of these pools; without pools the venue makes its own. */
  faults?: FaultList;
}

export interface RunningVenue {
  venue: Exchange;
  /** As in http://127.0.0.1:4101; the venue's paths follow without a prefix, since some are signed. */
  url: string;
  faults: Faults;
  requests: RequestLog;
  close(): Promise<void>;
}

/** Starts one simulated exchange on a port of its own. */
export async function startVenue(options: VenueOptions): Promise<RunningVenue> {
  const {
    accounts,
    now = Date.now,
    port = 0,
    host = '127.0.0.1',
    rateLimits = 'documented',
    pools,
  } = options;
  const venue = VENUES[options.venue]({ accounts, now, limiter: createRateLimiter(now, rateLimits), pools });
  const faults = options.faults ?? createFaults();
  const requests = createRequestLog();

  function answer(request: VenueRequest): ReceivedAnswer {
    try {
      return venue.answer(request);
    } catch (error) {
      if (error instanceof VenueRefusal) return error.answer;
      throw error;
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (!request) return sendAnswer(response, { status: 413, text: 'too long' });
    if (request.path === FAULT_PATH) return sendAnswer(response, answerFaultRequest(request, faults));
    if (request.path === POOLS_PATH && pools) return sendAnswer(response, answerPoolsRequest(request, pools));
    const account = venue.identify(request);
    const operation = venue.operationOf(request);
    const logged: LoggedRequest = {
      method: request.method,
      path: request.path,
      operation,
      account: account?.accUid ?? null,
      status: null,
      at: now(),
    };
    requests.add(logged);
    const met = faults.meet({ path: request.path, operation, account });
    for (const { kind, ms = 1000 } of met) if (kind === 'latency') await pause(ms, undefined, { ref: false });
    const fault = met.find(({ kind }) => kind !== 'latency');
    if (fault?.kind === 'timeout') return;
    const answered = fault && isRefusal(fault.kind) ? venue.refuse(fault.kind, request) : answer(request);
    logged.status = answered.status;
    if (fault?.kind === 'cut') sendCut(response, answered);
    else if (fault?.kind === 'malformed') sendMalformed(response, answered, fault.body ?? 'truncated');
    else sendAnswer(response, answered);
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: Error) => {
      // An aborted request is the client's doing; any other error is a mistake in here.
      if (!incoming.destroyed || incoming.complete) process.emitWarning(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    venue: options.venue,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
