import { onTestFinished } from 'vitest';
import { embeddedIdentity } from '../features/identity/embedded/embedded-identity.tsx';
import { owner, session, tokens } from '../features/identity/embedded/sessions/own-session.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { READS_UNDER_WAY, type Shown, showScreen } from './show-screen.tsx';

let issued = 0;

/** A token as the server signs it, of this person; each is another one. */
export function tokenFor({ id }: SignedInUser): string {
  issued += 1;
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: id, iat, exp: iat + 300, end: iat + 43_200, jti: issued };
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}

export interface Accounts extends Shown {
  /** The person with a session when the page opens; null: signed out. */
  person?: SignedInUser | null;
}

/** A screen of a console whose people sign in with accounts of ours: the real sessions and forms. */
export async function showAccount(
  path: string,
  { person = null, answers = {}, auth, ...shown }: Accounts = {},
) {
  let present = person;
  onTestFinished(() => {
    owner.release();
    tokens.clear();
    session.set({ status: 'loading' });
    history.replaceState(null, '', location.pathname + location.search);
  });
  const screen = await showScreen(path, {
    ...shown,
    client: embeddedIdentity,
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/me': () => ({ success: true, data: present ?? neverAsked() }),
      ...answers,
    },
    auth: {
      'get-session': () => (present ? { session: {}, user: {} } : null),
      token: () => ({ token: tokenFor(present ?? neverAsked()) }),
      'sign-out': () => {
        present = null;
        return { success: true };
      },
      ...auth,
    },
  });
  await embeddedIdentity.refresh();
  return {
    ...screen,
    /** The cookie is from now on that of this person. */
    signIn: (user: SignedInUser) => {
      present = user;
    },
  };
}

function neverAsked(): never {
  throw new Error('a person without a session was asked for');
}
