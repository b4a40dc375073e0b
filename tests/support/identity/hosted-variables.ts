import { randomBytes } from 'node:crypto';
import type { RunningClerk } from '@copydesk/simulators/clerk';

/** Canaries: neither may be seen anywhere. */
export const SECRET_KEY = 'sk_test_canaryOfTheKey0123456789';
export const WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const PUBLISHABLE_KEY = `pk_live_${Buffer.from('clerk.simulated.example$').toString('base64')}`;

/** The variables that connect the product with a simulated Clerk. */
export const hostedVariables = (clerk: RunningClerk): Record<string, string> => ({
  CLERK_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
  // As in an .env file.
  CLERK_JWT_KEY: clerk.signer.publicKey.replaceAll('\n', '\\n'),
  CLERK_ISSUER: clerk.issuer,
  CLERK_SECRET_KEY: SECRET_KEY,
  CLERK_WEBHOOK_SECRET: WEBHOOK_SECRET,
  CLERK_API_URL: clerk.url,
});
