import { lazy, type PropsWithChildren } from 'react';
import { call } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { forgetOrganization } from '../../../lib/organization.ts';
import { createStore, useStore } from '../../../lib/store.ts';
import { endOwnView } from '../../../lib/view-as.ts';
import type { IdentityClient, Session } from '../identity.ts';
import { useIdentity } from '../identity-context.ts';
import { UserMenuButton } from '../user-menu-button.tsx';
import { hasAuthenticatorApp } from './authenticator-app.ts';
import { closeQuestion, confirmPresence } from './presence.ts';
import { PresenceHost } from './presence-host.tsx';
import { endSession, fetchToken } from './session-calls.ts';
import { createTokenCache } from './token-cache.ts';

const LazySignInPage = lazy(() => import('./sign-in-page.tsx'));
const LazyProfilePage = lazy(() => import('./profile-page.tsx'));
const TwoFactorDialog = lazy(() => import('./two-factor-dialog.tsx'));

const session = createStore<Session>({ status: 'loading' });
const tokens = createTokenCache(fetchToken);

function forget(): void {
  endOwnView();
  forgetOrganization();
  closeQuestion(false);
  tokens.clear();
  session.set({ status: 'signed-out', byChoice: false });
}

async function refresh(): Promise<void> {
  try {
    tokens.clear();
    if ((await tokens.get()) === null) return forget();
    const { data: user } = await call('GET /api/me');
    session.set({ status: 'signed-in', user });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) forget();
    else session.set({ status: 'failed', error });
  }
}

async function signOut(): Promise<void> {
  await endSession();
  endOwnView();
  forgetOrganization();
  closeQuestion(false);
  tokens.clear();
  session.set({ status: 'signed-out', byChoice: true });
}

function SignInPage() {
  return <LazySignInPage config={useIdentity().config} onSignedIn={refresh} />;
}

/** The dialog covers the screen or dialog whose call needs it. */
function Provider({ children }: PropsWithChildren) {
  const current = useStore(session);
  return (
    <>
      {children}
      {current.status === 'signed-in' && (
        <PresenceHost user={current.user} onProven={tokens.adopt} onChanged={refresh} />
      )}
    </>
  );
}

function UserMenu() {
  const current = useStore(session);
  if (current.status !== 'signed-in') return null;
  const { user } = current;
  return (
    <UserMenuButton
      user={user}
      onSignOut={signOut}
      twoFactor={(close) => (
        <TwoFactorDialog
          email={user.email}
          isOn={hasAuthenticatorApp(user)}
          onChanged={refresh}
          onClose={close}
        />
      )}
    />
  );
}

function ProfilePage() {
  const current = useStore(session);
  if (current.status !== 'signed-in') return null;
  return <LazyProfilePage user={current.user} onChanged={refresh} />;
}

/** Sign-in with our own accounts: a session cookie for /api/auth, and 5-minute tokens from it for the API. */
export const embeddedIdentity: IdentityClient = {
  Provider,
  useSession: () => useStore(session),
  getToken: tokens.get,
  refresh,
  confirmPresence,
  forget,
  signOut,
  SignInPage,
  UserMenu,
  ProfilePage,
};
