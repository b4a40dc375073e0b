import type { HostedSettings } from '../platform/identity/hosted/hosted-settings.ts';
import { originsOf } from '../platform/identity/origins.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { Environment } from './environment.ts';

const REQUIRED = [
  'CLERK_PUBLISHABLE_KEY',
  'CLERK_JWT_KEY',
  'CLERK_ISSUER',
  'CLERK_SECRET_KEY',
  'CLERK_WEBHOOK_SECRET',
] as const;

/** With a part of its settings no person could sign in, or bans would never arrive. */
export function requireWholeHosted(e: Environment): void {
  const optional = ['CLERK_PROXY_URL', 'CLERK_API_URL', 'CLERK_AUTHORIZED_PARTIES'] as const;
  const missing = REQUIRED.filter((name) => e[name] === undefined);
  const isWanted = missing.length < REQUIRED.length || optional.some((name) => e[name] !== undefined);
  if (isWanted && missing.length > 0)
    throw new StartError(
      `The configuration is wrong:\n${missing.map((name) => `  ${name}: is missing beside the other settings of Clerk`).join('\n')}`,
    );
}

/** Null: people sign in with accounts of ours. */
export function hostedOf(e: Environment): HostedSettings | null {
  const [publishableKey, jwtKey, issuer, secretKey, webhookSecret] = REQUIRED.map((name) => e[name]);
  if (!publishableKey || !jwtKey || !issuer || !secretKey || !webhookSecret) return null;
  return {
    publishableKey,
    jwtKey,
    issuer: issuer.replace(/\/+$/, ''),
    secretKey,
    webhookSecret,
    proxyUrl: e.CLERK_PROXY_URL ?? null,
    apiUrl: e.CLERK_API_URL ?? null,
    authorizedParties: e.CLERK_AUTHORIZED_PARTIES ?? originsOf(e.PUBLIC_URL, e.PORT).trusted,
  };
}
