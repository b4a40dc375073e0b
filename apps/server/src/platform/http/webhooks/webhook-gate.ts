import type { IncomingHttpHeaders } from 'node:http';
import type { Webhook } from '@copydesk/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../refusal.ts';

/**
 * Checks the signature of a webhook in constant time.
 * @param signed the headers, and the body byte by byte as it arrived
 * @returns the signed time, or null when the signature is not genuine
 */
export type VerifySignature = (signed: {
  headers: IncomingHttpHeaders;
  body: Buffer;
}) => Signed | null | Promise<Signed | null>;

interface Signed {
  signedAt: Date;
}

/** The checks that every webhook passes before its handler. */
export interface WebhookGate {
  /** Before the body is read: the rate of the address. */
  admit(request: FastifyRequest): Promise<void>;
  /**
   * After the body is read, and before any of it is parsed: the signature and its time.
   * @returns the bytes of the body
   */
  admitBody(request: FastifyRequest): Promise<Buffer>;
}

/**
 * A request within the tolerance may still be a replay, so its handler must be idempotent. The log has the
 * reason of a refusal; the answer does not.
 */
export function createWebhookGate(
  app: FastifyInstance,
  webhook: Webhook,
  { verify, now }: { verify: VerifySignature; now: () => Date },
): WebhookGate {
  const limit = app.createRateLimit({
    max: webhook.perMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `webhook:${request.routeOptions.url} address:${request.ip}`,
  });
  return {
    async admit(request) {
      const verdict = await limit(request);
      if (!verdict.isAllowed && verdict.isExceeded) throw new Refusal('rate_limited');
    },
    async admitBody(request) {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (body.length === 0) throw new Refusal('malformed_body');
      const genuine = await verify({ headers: request.headers, body });
      if (!genuine) return refuse(request, 'signature not genuine');
      const differenceMs = Math.abs(now().getTime() - genuine.signedAt.getTime());
      // A time that is no number is refused as well.
      if (!(differenceMs <= webhook.toleranceSeconds * 1000))
        return refuse(request, 'signed at another time');
      return body;
    },
  };
}

function refuse(request: FastifyRequest, why: string): never {
  request.log.warn({ route: request.routeOptions.url, why }, 'webhook refused');
  throw new Refusal('invalid_signature');
}
