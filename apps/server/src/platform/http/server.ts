import { randomUUID } from 'node:crypto';
import { useSpecWording } from '@copydesk/contract';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from '../log/log.ts';
import { ApiError } from './api-error.ts';
import { trackRequests } from './drain.ts';
import { answerError } from './error-answer.ts';
import { securityHeaders } from './security-headers.ts';

/** Largest body that any call takes: forms, not files. */
const BODY_LIMIT_BYTES = 100_000;

export interface HttpOptions {
  log: Logger;
  /** Proxies in front of us whose X-Forwarded-For is believed. */
  trustedProxies: number;
  isSecure: boolean;
  /** Ends the answers that would never end by themselves, before a shutdown waits for the rest. */
  endStreams: () => Promise<void>;
}

/** The HTTP server with everything that every route has, and no route. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { log, trustedProxies, isSecure, endStreams } = options;
  useSpecWording();
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // one line a request, of our own
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    // What is in flight is waited for below; what is open after that carries nothing.
    forceCloseConnections: true,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('principal', null);
  app.setErrorHandler(answerError);
  const requests = trackRequests(app.server);
  app.addHook('preClose', async () => {
    await endStreams();
    await requests.drain();
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: request.principal?.id,
      },
      'request',
    );
  });

  await app.register(securityHeaders, { isSecure });
  await app.register(rateLimit, { global: false, addHeadersOnExceeding: {} as never });
  // Speed over size: level 5 costs a third of the default's time on a long list.
  await app.register(compress, { threshold: 2048, encodings: ['gzip'], zlibOptions: { level: 5 } });
  await app.register(underPressure, {
    maxEventLoopDelay: 2_000,
    pressureHandler: () => {
      throw new ApiError('unavailable');
    },
  });
  return app;
}
