import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from '../../platform/http/handlers.ts';
import { isFromThisMachine } from '../../platform/http/loopback.ts';
import type { Identity } from '../../platform/identity/identity.ts';

interface ReadersDeps {
  identity: Pick<Identity, 'authenticate'>;
  /** Null: monitoring has none. */
  metricsToken: string | null;
}

/**
 * Decides who reads the details of readiness: this machine, monitoring with its token, and super admins. Every other
 * caller, a balancer or a stranger, learns the status alone.
 */
export function createReadinessReaders({ identity, metricsToken }: ReadersDeps) {
  return async (request: HttpRequest): Promise<boolean> => {
    if (isFromThisMachine(request)) return true;
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    if (metricsToken !== null && isSame(authorization, `Bearer ${metricsToken}`)) return true;
    // Without a database no caller is known, and the answer must not wait for more than that.
    const result = await identity.authenticate(authorization).catch(() => null);
    return result?.ok === true && result.principal.kind === 'user' && result.principal.flags.super;
  };
}

/** In constant time. The hashes have one length, whatever was sent. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
