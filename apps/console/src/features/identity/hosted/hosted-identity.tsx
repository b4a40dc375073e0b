import { ClerkProvider } from '@clerk/react';
import { getNonce } from 'get-nonce';
import { lazy, type PropsWithChildren } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { setOwnLists } from '../../../lib/list/own-lists.ts';
import { chosenOrganization } from '../../../lib/organization.ts';
import { personSettings } from '../../../lib/person-settings.ts';
import { createStore, useStore } from '../../../lib/store.ts';
import type { IdentityClient, Session } from '../identity.ts';
import { useIdentity } from '../identity-context.ts';
import { UserMenuButton } from '../user-menu-button.tsx';
import { appearance } from './appearance.ts';
import { ClerkBridge } from './clerk-bridge.tsx';
import { followChoice } from './organizations.ts';
import { ReverificationHost } from './reverification-host.tsx';
import { owner, service, tokens, whenLoaded } from './service.ts';

const LazySignInPage = lazy(() => import('./sign-in-page.tsx'));
const LazyProfilePage = lazy(() => import('./profile-page.tsx'));

const session = createStore<Session>({ status: 'loading' });
/** Why the API does not let a person in who has signed in at the service. */
const refusal = createStore<string | null>(null);
let sessionId: string | null | undefined;

function leave(byChoice: boolean): void {
  owner.release();
  tokens.clear();
  session.set({ status: 'signed-out', byChoice });
}

const forget = () => leave(false);

async function refresh(): Promise<void> {
  try {
    const clerk = await whenLoaded();
    sessionId = clerk.session?.id ?? null;
    tokens.clear();
    refusal.set(null);
    // The service may have another organisation, of another tab. Where it does not follow, the server refuses.
    await followChoice(clerk, chosenOrganization()).catch(() => {});
    if ((await tokens.get()) === null) return forget();
    const { data: user } = await call('GET /api/me');
    personSettings.set(user.settings);
    setOwnLists(user);
    session.set({ status: 'signed-in', user });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'another_person') return;
    if (error instanceof ApiError && error.status === 401) {
      refusal.set(messageOf(error));
      forget();
    } else session.set({ status: 'failed', error });
  }
}

service.onSession = (id) => {
  if (sessionId === undefined || id === sessionId) return;
  sessionId = id;
  void refresh();
};

service.onReady = () => {
  if (session.get().status === 'failed') void refresh();
};

service.onEnded = () => leave(true);

service.onReplaced = () => {
  session.set({ status: 'loading' });
  window.location.reload();
};

async function signOut(): Promise<void> {
  const clerk = await whenLoaded();
  // The listener must not take it for a session that was lost.
  sessionId = null;
  await clerk.signOut({ redirectUrl: '/sign-in' });
  refusal.set(null);
  owner.end();
  leave(true);
}

let question: Promise<boolean> | null = null;

/** The service's own dialog asks, once for all calls that wait for it. */
function confirmRecentAuth(): Promise<boolean> {
  question ??= service
    .prove()
    .catch((error: { code?: string }) => {
      if (error.code === 'reverification_cancelled') return false;
      throw error;
    })
    .finally(() => {
      question = null;
    });
  return question;
}

function SignInPage() {
  const { config } = useIdentity();
  return <LazySignInPage config={config} refusal={useStore(refusal)} onSignOut={signOut} />;
}

function UserMenu() {
  const current = useStore(session);
  return current.status === 'signed-in' ? <UserMenuButton user={current.user} onSignOut={signOut} /> : null;
}

function ProfilePage() {
  return useStore(session).status === 'signed-in' ? <LazyProfilePage /> : null;
}

// Where the service would load another page, the console's router decides.
const stay = async () => {};

/** The key has the host, and a `$`, as base64. */
const frontendUrlOf = (key: string) => `https://${atob(key.split('_')[2] ?? '').replace(/\$$/, '')}`;

function Provider({ children }: PropsWithChildren) {
  const { hosted } = useIdentity().config;
  if (!hosted) throw new Error('The server names no hosted identity service.');
  const { publishable_key: publishableKey, proxy_url: proxyUrl } = hosted;
  service.frontendUrl = proxyUrl ?? frontendUrlOf(publishableKey);
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      {...(proxyUrl === null ? {} : { proxyUrl })}
      nonce={getNonce() ?? ''}
      appearance={appearance}
      signInUrl="/sign-in"
      routerPush={stay}
      routerReplace={stay}
      telemetry={false}
    >
      <ClerkBridge />
      {children}
      <ReverificationHost />
    </ClerkProvider>
  );
}

/** Sign-in at the hosted service, whose tokens of a minute the API takes. */
export const hostedIdentity: IdentityClient = {
  Provider,
  useSession: () => useStore(session),
  getToken: tokens.get,
  refresh,
  confirmRecentAuth,
  forget,
  signOut,
  enterOrganization: async (providerId) => followChoice(await whenLoaded(), providerId),
  SignInPage,
  UserMenu,
  ProfilePage,
};
