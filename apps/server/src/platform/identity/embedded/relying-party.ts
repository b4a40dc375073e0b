import type { Origins } from '../origins.ts';

/** What a passkey is bound to: a browser offers it to pages of this origin only, and the authenticator signs both. */
export interface RelyingParty {
  /** A domain. Browsers refuse IP addresses. */
  id: string;
  origin: string;
}

export function relyingPartyOf({ main }: Origins): RelyingParty {
  return { id: new URL(main).hostname, origin: main };
}
