import { randomBytes } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';

/** Other origins that the console's pages may use. */
export interface ForeignOrigins {
  scripts: readonly string[];
  calls: readonly string[];
  images: readonly string[];
  frames: readonly string[];
  workers: readonly string[];
}

export const NO_FOREIGN_ORIGINS: ForeignOrigins = {
  scripts: [],
  calls: [],
  images: [],
  frames: [],
  workers: [],
};

interface SecurityOptions {
  isSecure: boolean;
  foreign: ForeignOrigins;
}

/**
 * Security headers of every answer. Scripts and styles come from our own origin, and from that of a hosted
 * identity service where one is configured. The one style element that the console's dialogs insert carries
 * the nonce of its page.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { isSecure, foreign }: SecurityOptions) => {
  await app.register(helmet, {
    enableCSPNonces: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'", ...foreign.scripts],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...foreign.images],
        connectSrc: ["'self'", ...foreign.calls],
        ...(foreign.frames.length > 0 ? { frameSrc: [...foreign.frames] } : {}),
        ...(foreign.workers.length > 0 ? { workerSrc: ["'self'", ...foreign.workers] } : {}),
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
  });
  // Before anything else, like the other headers: a stream is sent without the hooks of an answer.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  });
  app.addHook('onSend', async (_request, reply) => {
    // Answers are about money and people, so no cache may keep them. Static files set their own header.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
});

/** A nonce for the styles that scripts of this one page insert, which its policy allows from then on. */
export function allowOwnStyles(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  reply.header(
    'content-security-policy',
    policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
  );
  return nonce;
}
