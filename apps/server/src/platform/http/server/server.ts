import { randomUUID } from 'node:crypto';
import { useSpecWording } from '@copydesk/contract';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from '../../observe/log.ts';
import { withLogFields } from '../../observe/log-context.ts';
import { traceRequests } from '../../observe/tracing.ts';
import { Refusal } from '../../refusal.ts';
import { createClientErrors, createFrameworkErrors, fieldsOf } from './bare-answers.ts';
import { trackRequests } from './drain.ts';
import { answerError } from './error-answer.ts';
import { requireReadableInput } from './readable-input.ts';
import { type ForeignOrigins, NO_FOREIGN_ORIGINS, securityHeaders } from './security-headers.ts';

/** When a slow or silent connection is closed. */
export interface HttpTimeouts {
  /** From the first byte of a connection or request to the end of its headers. */
  headersMs: number;
  /** To the end of its body. Bodies are small. */
  requestMs: number;
  /** Between two requests; longer than the minute that proxies usually keep theirs. */
  keepAliveMs: number;
  /** Without a byte in either direction. Longer than the longest statement, that of an export, may run. */
  silenceMs: number;
  /** How often the first two limits are checked. */
  checkEveryMs: number;
}

const TIMEOUTS: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 75_000,
  silenceMs: 150_000,
  checkEveryMs: 2_000,
};

/**
 * Requests that may wait for their answer in one process; more are refused, so that these are answered in
 * time. The limit is not the delay of the event loop: a process that was held up for seconds (by the machine,
 * or by compiling its code) has to answer the requests it finds, and past delays do not predict that.
 */
const MOST_WAITING = 1_000;

/** Largest body that any call takes: forms, not files. */
const BODY_LIMIT_BYTES = 100_000;

export interface HttpOptions {
  log: Logger;
  /** Proxies in front of us whose X-Forwarded-For is believed. */
  trustedProxies: number;
  isSecure: boolean;
  /** Other origins that the console's pages may use; none when unset. */
  foreign?: ForeignOrigins;
  /** Ends the streams, which have no end of their own, before a shutdown waits for the rest. */
  endStreams: () => Promise<void>;
  /** Whether a shutdown has been announced; by default never. */
  isLeaving?: () => boolean;
  timeouts?: HttpTimeouts;
  mostWaiting?: number;
  /** Receives every error of ours before it is answered; must neither wait nor throw. */
  onRefusal?: (error: Refusal, request: FastifyRequest) => void;
}

/** The HTTP server with everything that all routes share, and no route. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { log, trustedProxies, isSecure, endStreams, timeouts = TIMEOUTS, onRefusal, isLeaving } = options;
  const { mostWaiting = MOST_WAITING } = options;
  useSpecWording();
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // we write our own line for each request
    genReqId: () => randomUUID(),
    // Every line of a request has its id, even one by code that does not know the request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    // Requests in flight are waited for below; connections still open after that carry none.
    forceCloseConnections: true,
    return503OnClosing: false, // a hook of ours answers, with our headers
    connectionTimeout: timeouts.silenceMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkEveryMs },
    frameworkErrors: createFrameworkErrors(isSecure),
    clientErrorHandler: createClientErrors(log, isSecure),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('principal', null);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) onRefusal?.(error, request);
    return withLogFields(fieldsOf(request), () => answerError(error, request, reply));
  });
  const requests = trackRequests(app.server);
  let isClosing = false;
  let isDrained = false;
  app.addHook('preClose', async () => {
    // From here on a proxy's new connections are refused, so it tries another process. It would pass an
    // answer of 503 on:
    // requests that are just arriving on existing connections are therefore still carried out.
    app.server.close();
    isClosing = true;
    await endStreams();
    await requests.drain();
    isDrained = true;
  });

  traceRequests(app);
  app.addHook('onRequest', (request, _reply, done) => withLogFields(fieldsOf(request), done));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  // Ignores the Expect header, as HTTP allows: Node would answer without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      ...fieldsOf(request)(),
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log.info(line, 'request');
  });

  await app.register(securityHeaders, { isSecure, foreign: options.foreign ?? NO_FOREIGN_ORIGINS });
  // After the hooks that set headers, so that answers of this hook have them too.
  app.addHook('onRequest', async (_request, reply) => {
    // Closes the connection with this answer, so that a proxy does not reuse it at the moment it closes.
    if (isClosing || isLeaving?.()) reply.header('connection', 'close');
    if (isDrained || requests.areMoreWaiting(mostWaiting)) throw new Refusal('unavailable');
  });
  app.addHook('preValidation', requireReadableInput);
  await app.register(rateLimit, { global: false, addHeadersOnExceeding: {} as never });
  // Speed over size: level 5 costs a third of the default's time on a long list.
  await app.register(compress, { threshold: 2048, encodings: ['gzip'], zlibOptions: { level: 5 } });
  return app;
}
