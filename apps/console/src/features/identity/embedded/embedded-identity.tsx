import { lazy, type PropsWithChildren, Suspense } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { setOwnLists } from '../../../lib/list/own-lists.ts';
import { personSettings } from '../../../lib/person-settings.ts';
import { useStore } from '../../../lib/store.ts';
import type { IdentityClient, SignedInUser } from '../identity.ts';
import { useIdentity } from '../identity-context.ts';
import { UserMenuButton } from '../user-menu-button.tsx';
import { closeQuestion, confirmRecentAuth, question } from './recent-auth.ts';
import { hasAuthenticatorApp } from './second-factor/second-factor.ts';
import { leave, owner, session, tokens } from './sessions/own-session.ts';
import { endSession } from './sessions/session-calls.ts';
import { SessionEndNotice } from './sessions/session-end-notice.tsx';

const LazySignInPage = lazy(() => import('./sign-in/sign-in-page.tsx'));
const LazyProfilePage = lazy(() => import('./profile-page.tsx'));
const TwoFactorDialog = lazy(() => import('./second-factor/two-factor-dialog.tsx'));

const forget = () => leave(false);

async function refresh(): Promise<void> {
  try {
    tokens.clear();
    if ((await tokens.get()) === null) return forget();
    const { data: user } = await call('GET /api/me');
    personSettings.set(user.settings);
    setOwnLists(user);
    session.set({ status: 'signed-in', user });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'another_person') return;
    if (error instanceof ApiError && error.status === 401) forget();
    else session.set({ status: 'failed', error });
  }
}

async function signOut(): Promise<void> {
  await endSession();
  owner.end();
  leave(true);
}

/** The person who signs in here may be another one than that of this tab. */
async function signedIn(): Promise<void> {
  owner.release();
  await refresh();
}

function SignInPage() {
  return <LazySignInPage config={useIdentity().config} onSignedIn={signedIn} />;
}

/** The dialog covers the screen or dialog whose call needs it. */
function Provider({ children }: PropsWithChildren) {
  const current = useStore(session);
  return (
    <>
      {children}
      {current.status === 'signed-in' && (
        <>
          <RecentAuthHost user={current.user} onProven={tokens.adopt} onChanged={refresh} />
          <SessionEndNotice onEnd={refresh} />
        </>
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
  confirmRecentAuth: () => confirmRecentAuth(),
  forget,
  signOut,
  SignInPage,
  UserMenu,
  ProfilePage,
};

const RecentAuthDialog = lazy(() => import('./recent-auth-dialog.tsx'));

interface RecentAuthHostProps {
  user: SignedInUser;
  /** Receives the token with the new proof. */
  onProven(token: string): void;
  /** Called when the account's factors have changed meanwhile. */
  onChanged(): Promise<void>;
}

/** Shows the dialog while a question is open. */
function RecentAuthHost({ user, onProven, onChanged }: RecentAuthHostProps) {
  const open = useStore(question);
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      <RecentAuthDialog
        user={user}
        why={open.why}
        onProven={(token) => {
          onProven(token);
          closeQuestion(true);
        }}
        onChanged={onChanged}
        onClose={() => closeQuestion(false)}
      />
    </Suspense>
  );
}
