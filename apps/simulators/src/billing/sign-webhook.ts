import { createHmac } from 'node:crypto';

/** https://docs.stripe.com/webhooks#verify-manually */
export function signAsStripe(
  { body }: { body: string },
  { secret, seconds }: { secret: string; seconds: number },
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${signature}` };
}
