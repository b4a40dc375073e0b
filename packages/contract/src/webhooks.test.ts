import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { entries, type WebhookKey, webhooks } from './entry.ts';
import type { Call } from './index.ts';

const answer = z.object({ success: z.literal(true) });

test('the client knows no call below the path of webhooks', () => {
  expectTypeOf<Extract<Call, WebhookKey>>().toEqualTypeOf<never>();
  const call = { summary: 'A call', permission: 'public', recentAuth: false, answer, errors: [] } as const;
  entries({ 'POST /api/payments': call });
  // @ts-expect-error a call with a bearer has no place there
  entries({ 'POST /api/webhooks/payments': call });
});

test('a webhook is below its path, and has a signature', () => {
  const webhook = {
    summary: 'An event',
    signature: { scheme: 'HMAC', header: 'signature', secret: 'PAYMENTS' },
    toleranceSeconds: 300,
    maxBodyBytes: 10_000,
    perMinute: 60,
    event: z.looseObject({ id: z.string() }),
    answer,
    errors: [],
  } as const;
  webhooks({ 'POST /api/webhooks/payments': webhook });
  // @ts-expect-error calls with a bearer are elsewhere
  webhooks({ 'POST /api/payments': webhook });
  const { signature: _none, ...unsigned } = webhook;
  // @ts-expect-error a webhook without a signature is open to everyone
  webhooks({ 'POST /api/webhooks/payments': unsigned });
});
