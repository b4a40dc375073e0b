import { createHmac } from 'node:crypto';

/** https://www.standardwebhooks.com, under the header names of Svix. */
export function signAsClerk(
  { id, body }: { id: string; body: string },
  { secret, seconds }: { secret: string; seconds: number },
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': String(seconds), 'svix-signature': `v1,${signature}` };
}
