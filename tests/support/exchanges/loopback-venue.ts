import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import type { ExchangeCredentials } from '@copydesk/domain/trading';
import type {
  GatewaySettings,
  VenueSettings,
} from '../../../apps/server/src/integrations/exchanges/gateway.ts';

export interface SentRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `hang` never answers, `reset` closes before an answer, `cut` in the middle of one. */
export type Reply =
  | 'hang'
  | 'reset'
  | 'cut'
  | { status?: number; headers?: Record<string, string>; body: unknown };

/** What the accounts of a loopback venue are, unless its answers say something else: as the venues document it. */
const MODES: Record<string, object> = {
  '/v5/account/info': { retCode: 0, result: { unifiedMarginStatus: 5 } },
  '/api/ua/v1/account/mode': { code: '200000', data: { selfAccountMode: 'CLASSIC' } },
};

/**
 * A venue of a few lines: sends prepared answers, and records its requests. It answers for the mode of its accounts by
 * itself and does not record that: reads ask for it once, whatever they are about.
 * @param answersModes false: the prepared answers include the mode
 */
export async function startLoopbackVenue(
  respond: (request: SentRequest, nth: number) => Reply,
  { answersModes = true } = {},
) {
  const requests: SentRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? '/', 'http://venue');
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const mode = answersModes ? MODES[request.path] : undefined;
    if (!mode) requests.push(request);
    const reply = mode ? { body: mode } : respond(request, requests.length);
    if (reply === 'hang') return;
    if (reply === 'reset') {
      incoming.socket.resetAndDestroy();
      return;
    }
    if (reply === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"retCode":0,', () => incoming.socket.destroy());
      return;
    }
    const { status = 200, headers = {}, body } = reply;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { 'content-type': isRaw ? 'text/html' : 'application/json', ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** All venues at one address. */
export function settingsAt(baseUrl: string, settings: Partial<VenueSettings> = {}): GatewaySettings {
  const venue = { baseUrl, timeoutMs: 2_000, budgetShare: 1, ...settings };
  return Object.fromEntries(EXCHANGES.map((exchange) => [exchange, venue])) as GatewaySettings;
}

/** Credentials that must not appear in any error. */
export const CANARY = 'kXcanaryX7f3';
const MASTER = `0x${'ab'.repeat(20)}`;
/** Address of the private key 1. */
export const AGENT = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
export const AGENT_KEY = `0x${'0'.repeat(63)}1`;

export const CREDENTIALS = {
  bybit: { exchange: 'bybit', apiKey: `${CANARY}key`, secretKey: `${CANARY}secret` },
  binance: { exchange: 'binance', apiKey: `${CANARY}key`, secretKey: `${CANARY}secret` },
  okx: { exchange: 'okx', apiKey: `${CANARY}key`, secretKey: `${CANARY}secret`, passphrase: `${CANARY}pass` },
  kucoin: {
    exchange: 'kucoin',
    apiKey: `${CANARY}key`,
    secretKey: `${CANARY}secret`,
    passphrase: `${CANARY}pass`,
  },
  hyperliquid: {
    exchange: 'hyperliquid',
    masterAddress: MASTER,
    agentAddress: AGENT,
    agentPrivateKey: AGENT_KEY,
  },
} as const satisfies Record<string, ExchangeCredentials>;
