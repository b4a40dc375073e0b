import type { Entry } from '@copydesk/contract';
import { needsRecentAuth, needsSecondFactor, RECENT_AUTHENTICATION_MINUTES } from '@copydesk/domain/access';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../audit/audit.ts';
import type { Identity, Person, Principal } from '../identity/identity.ts';
import { requireAccess } from '../identity/present-scope.ts';
import { Refusal } from '../refusal.ts';
import { chosenBy } from './chosen-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** The checks that every call passes before its handler. */
export interface Gate {
  /**
   * Before the body is read: authentication, permission, rate limit, and recent authentication where every request
   * needs it.
   */
  admit(entry: Entry): (request: FastifyRequest) => Promise<void>;
  /** After the body is read, and before any stored answer of an earlier request is looked up. */
  admitBody(entry: Entry): (request: FastifyRequest) => Promise<void>;
}

/** @throws Refusal when this principal may not make this call */
function admit(entry: Entry, principal: Principal): void {
  if (principal.kind === 'service') {
    if (!entry.serviceScope || !principal.scopes.includes(entry.serviceScope))
      throw new Refusal('service_scope_required');
    // A service reaches a call for super admins only with a scope that a super admin granted, for the
    // providers of its token.
    if (entry.permission === 'super' && principal.isOfSuper) return;
  }
  requireAccess(principal.flags, entry);
}

export interface GateOptions {
  identity: Identity;
  /** Calls of one caller. */
  perMinute: number;
  /** Whether a person may act on money and secrets: it has a second factor, or needs none. */
  isVerified(person: Person): boolean;
}

/**
 * The gate before every call: authentication, permission and rate limit. Runs before the body is read. Calls
 * that change something, and those of super admins, read the flags from the database instead of a cached
 * copy. Where the contract requires recent authentication, a person whose proof is too old is refused, and so
 * is a service unless the entry excepts services. Super admins and staff without a second factor are refused
 * too, unless the call is about accounts.
 */
export function createGate(app: FastifyInstance, { identity, perMinute, isVerified }: GateOptions): Gate {
  const byCaller = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => callerKey(request),
  });

  const requireRecent = (entry: Entry, principal: Principal) => {
    if (principal.kind === 'service') {
      // A call that always requires recent authentication of people declares whether services may make it.
      const { recentAuth: declared } = entry;
      const isExcepted = declared === true || (typeof declared === 'object' && declared.exceptServices);
      if (entry.serviceScope && isExcepted) return;
      throw new Refusal('person_required');
    }
    if (needsSecondFactor(entry) && !isVerified(principal)) throw new Refusal('second_factor_required');
    if (!identity.reauth.isRecent(principal, RECENT_AUTHENTICATION_MINUTES))
      throw new Refusal('reauthentication_required');
  };

  const admitCaller = (entry: Entry) => {
    const isSuper = entry.permission === 'super';
    const own = entry.perMinute
      ? app.createRateLimit({
          max: entry.perMinute,
          timeWindow: 60_000,
          keyGenerator: (request) =>
            `${callerKey(request)} ${request.routeOptions.method} ${request.routeOptions.url}`,
        })
      : null;
    return async (request: FastifyRequest) => {
      const result =
        entry.permission === 'public'
          ? null
          : await identity.authenticate(request.headers.authorization, {
              fresh: isSuper || !isReading(request),
              ...chosenBy(request),
            });
      if (result) request.principal = (result.ok ? result.principal : result.caller) ?? null;
      // Counted before the refusal is sent: guesses of tokens count against the rate of their address.
      for (const limit of own ? [byCaller, own] : [byCaller]) {
        const verdict = await limit(request);
        if (!verdict.isAllowed && verdict.isExceeded) throw new Refusal('rate_limited');
      }
      if (result?.ok === false) throw new Refusal(result.code);
      if (!request.principal) return;
      // Views are read-only, so no change in the audit can have been made in another person's name.
      if (isViewing(request.principal) && !isReading(request)) throw new Refusal('view_as_read_only');
      admit(entry, request.principal);
      if (entry.recentAuth === true) requireRecent(entry, request.principal);
    };
  };
  return {
    admit: admitCaller,
    admitBody: (entry) => async (request) => {
      if (request.principal && needsRecentAuth(entry.recentAuth, request.body))
        requireRecent(entry, request.principal);
    },
  };
}

const isReading = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
const isViewing = (principal: Principal) => principal.kind === 'user' && principal.impersonator !== undefined;

function callerKey(request: FastifyRequest): string {
  return request.principal ? `${request.principal.kind}:${request.principal.id}` : `address:${request.ip}`;
}

export function actorOf(principal: Principal, requestId: string): Actor {
  const name = principal.kind === 'user' ? principal.email : principal.name;
  return { kind: principal.kind, id: principal.id, name, requestId };
}
