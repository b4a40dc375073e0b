import type { ClerkInstance } from './instance.ts';
import type { TokenSigner } from './token-signer.ts';

export interface TokenParty {
  issuer: string;
  /** The origin of the page. */
  origin: string | undefined;
  /** In which the page works; unset: the last one of the session. */
  organizationId?: string | null;
}

const LIFE_S = 60;

/** The claims of a session token of version 2 (clerk.com/docs/guides/sessions/session-tokens). */
export function claimsOf(instance: ClerkInstance, sessionId: string, party: TokenParty) {
  const { issuer, origin } = party;
  const session = instance.state.sessions.get(sessionId);
  if (!session) throw new Error(`no such session: ${sessionId}`);
  const at = instance.now();
  const minutes = (since: number | null) => (since === null ? -1 : Math.floor((at - since) / 60_000));
  const iat = Math.floor(at / 1_000);
  const organization = party.organizationId === undefined ? session.organizationId : party.organizationId;
  return {
    ...(origin === undefined ? {} : { azp: origin }),
    exp: iat + LIFE_S,
    fva: [minutes(session.firstFactorAt), minutes(session.secondFactorAt)],
    iat,
    iss: issuer,
    jti: instance.id('jti'),
    nbf: iat - 10,
    ...(organization ? { o: { id: organization, rol: 'member', slg: 'organization' } } : {}),
    pla: 'u:free',
    sid: session.id,
    sts: 'active',
    sub: session.userId,
    v: 2,
  };
}

/** A session token; the vendor issues none for a session that has ended. */
export function issueToken(
  { instance, signer }: { instance: ClerkInstance; signer: TokenSigner },
  sessionId: string,
  party: TokenParty,
): string {
  return signer.sign(claimsOf(instance, sessionId, party));
}
