import { verifyWebhook } from '@clerk/backend/webhooks';
import type { VerifySignature } from '../../http/webhooks/webhook-gate.ts';

const HEADERS = ['svix-id', 'svix-timestamp', 'svix-signature'] as const;
const MESSAGE_ID = /^[\w-]{1,200}$/;

/** Verifies webhooks of Clerk (Standard Webhooks). */
export function createHostedWebhookVerifier(secret: string): VerifySignature {
  return async ({ headers, body }) => {
    const given = HEADERS.map((name) => [name, headers[name]] as const);
    if (given.some(([, value]) => typeof value !== 'string')) return null;
    const [id, time] = given.map(([, value]) => String(value)) as [string, string, string];
    if (!MESSAGE_ID.test(id) || !/^\d{1,12}$/.test(time)) return null;
    const request = new Request('http://webhook.internal', {
      method: 'POST',
      headers: Object.fromEntries(given) as Record<string, string>,
      body: new Uint8Array(body),
    });
    try {
      await verifyWebhook(request, { signingSecret: secret });
    } catch {
      return null;
    }
    return { signedAt: new Date(Number(time) * 1_000) };
  };
}
