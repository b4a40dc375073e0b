import { ERRORS, errorEnvelope, WEBHOOK_ERRORS, type Webhook, type WebhookKey } from '@copydesk/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { requireReadable } from '../server/readable-input.ts';
import { createWebhookGate, type VerifySignature } from './webhook-gate.ts';

type Webhooks = Record<WebhookKey, Webhook>;

/** One handler for each webhook. Its event is genuine, but may arrive more than once and in any order. */
export type WebhookHandlers<W extends Webhooks> = {
  [K in keyof W & WebhookKey]: (request: {
    event: z.output<W[K]['event']>;
    requestId: string;
  }) => Promise<z.input<W[K]['answer']>>;
};

interface Mounting<W extends Webhooks> {
  handlers: WebhookHandlers<W>;
  /** Every webhook needs one, so that none accepts unsigned requests. */
  verifiers: { [K in keyof W & WebhookKey]: VerifySignature };
  now: () => Date;
}

/** Registers a route for every webhook. Their bodies stay bytes until their signature is verified. */
export async function mountWebhooks<const W extends Webhooks>(
  app: FastifyInstance,
  webhooks: W,
  { handlers, verifiers, now }: Mounting<W>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    for (const [key, webhook] of Object.entries(webhooks) as [WebhookKey & keyof W, Webhook][]) {
      const gate = createWebhookGate(scope, webhook, { verify: verifiers[key], now });
      const handler = handlers[key] as (input: { event: unknown; requestId: string }) => Promise<unknown>;
      scope.route({
        method: 'POST',
        url: key.replace('POST ', ''),
        bodyLimit: webhook.maxBodyBytes,
        schema: describeWebhook(webhook),
        // The schema documents the body. The bytes of an unverified one are not validated.
        validatorCompiler: () => (value) => ({ value }),
        onRequest: gate.admit,
        handler: async (request, reply) => {
          const event = readEvent(webhook, await gate.admitBody(request), request);
          return reply.send(await handler({ event, requestId: request.id }));
        },
      });
    }
  });
}

function readEvent(webhook: Webhook, body: Buffer, request: FastifyRequest): unknown {
  const json = parse(body);
  requireReadable(json, 'body');
  const read = webhook.event.safeParse(json);
  if (read.success) return read.data;
  const details = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  // The vendor repeats refused events, and its log is not ours: our log names the fields, without their
  // values.
  request.log.error({ route: request.routeOptions.url, details }, 'webhook not understood');
  throw new Refusal('validation_failed', { details });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal('malformed_body');
  }
}

function describeWebhook(webhook: Webhook) {
  const { scheme, header } = webhook.signature;
  const responses: Record<number, unknown> = { 200: webhook.answer };
  for (const code of [...WEBHOOK_ERRORS, ...webhook.errors]) responses[ERRORS[code].status] = errorEnvelope;
  return {
    summary: webhook.summary,
    description: `Called by a vendor. Signature: ${scheme} in ${header}, at most ${webhook.toleranceSeconds} seconds old. Body: at most ${webhook.maxBodyBytes} bytes.`,
    tags: ['webhooks'],
    security: [],
    'x-signature': webhook.signature,
    headers: z.looseObject({ [header]: z.string() }),
    body: webhook.event,
    response: responses,
  };
}
