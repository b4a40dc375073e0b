import type { ForeignOrigins } from '../../http/server/security-headers.ts';
import type { HostedSettings } from './hosted-settings.ts';

/** Protects the service's forms from programs (https://clerk.com/docs/guides/secure/best-practices/csp-headers). */
const BOT_CHECK = 'https://challenges.cloudflare.com';
const IMAGES = 'https://img.clerk.com';

/**
 * What the console's pages may load with this service: its scripts and its frontend API, from its own host or through a
 * proxy.
 */
export function foreignOriginsOf({
  publishableKey,
  proxyUrl,
}: Pick<HostedSettings, 'publishableKey' | 'proxyUrl'>): ForeignOrigins {
  const frontend = frontendOriginOf(publishableKey, proxyUrl);
  const own = frontend === null ? [] : [frontend];
  return {
    scripts: [...own, BOT_CHECK],
    calls: own,
    images: [IMAGES],
    frames: [BOT_CHECK],
    // Its renewal of sessions runs in a worker.
    workers: ['blob:'],
  };
}

/** The origin of the service's frontend API; null: our own. */
function frontendOriginOf(publishableKey: string, proxyUrl: string | null): string | null {
  if (proxyUrl !== null) return proxyUrl.startsWith('/') ? null : new URL(proxyUrl).origin;
  // The host and a `$`, as base64 (https://clerk.com/docs/guides/how-clerk-works/overview).
  const host = Buffer.from(publishableKey.split('_')[2] ?? '', 'base64')
    .toString()
    .replace(/\$$/, '');
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(host))
    throw new Error('The configuration is wrong:\n  CLERK_PUBLISHABLE_KEY: names no host');
  return `https://${host}`;
}
