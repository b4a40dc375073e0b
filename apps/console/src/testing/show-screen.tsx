import '../app.css';
import { contract } from '@copydesk/contract';
import { PERSON_DEFAULTS } from '@copydesk/domain/person';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
// Files share what they load: hooks of the whole library would be those of the first file alone.
import { cleanup, render } from 'vitest-browser-react/pure';
import { queryClient } from '../app/query-client.ts';
import { router } from '../app/router.tsx';
import type { IdentityClient, PublicConfig, SignedInUser } from '../features/identity/identity.ts';
import { IdentityContext } from '../features/identity/identity-context.ts';
import { connectCredentials } from '../lib/api/api.ts';
import { drafts, setOwnLists } from '../lib/list/own-lists.ts';
import { personSettings } from '../lib/person-settings.ts';
import { toasts } from '../ui/feedback/toast-store.ts';
import { ToastsOnDemand } from '../ui/feedback/toasts-on-demand.tsx';
import { type Answers, type AuthAnswers, never, serveCalls } from './serve-calls.ts';

export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const SUPER_ADMIN: SignedInUser = {
  id: 'super-1',
  email: 'super@example.com',
  name: 'Super Admin',
  admin: true,
  super: true,
  two_factor_enabled: true,
  reauthenticates_by: 'password',
  providers: [],
  viewed_by: null,
  organization: null,
  organizations: [],
  settings: PERSON_DEFAULTS,
  lists: {},
  default_views: {},
};

const PROVIDER = { id: idOf(900), name: 'Meridian Capital' };
export const STAFF: SignedInUser = {
  ...SUPER_ADMIN,
  id: 'staff-1',
  name: 'Staff',
  super: false,
  providers: [{ ...PROVIDER, role: 'owner' }],
  organizations: [PROVIDER],
};

const CONFIG: PublicConfig = {
  version: '0.0.0',
  identity: 'embedded',
  hosted: null,
  demo: false,
  setup_required: false,
  external_url: 'https://members.example/',
  explorer_url: 'https://explorer.example',
  reveal_super_only: false,
  plans: { monthly: null, yearly: null },
};

/** What the frame and filters of every screen ask for: nothing is wrong, and nothing waits. */
const FRAME: Answers = {
  'GET /api/ready': { success: true },
  'GET /api/users/{id}/communities': { success: true, data: [] },
  'GET /api/payments/stop': { success: true, data: { stopped_since: null, stop: null } },
  'GET /api/communities': { success: true, data: [], meta: { totals_at: null } },
  'GET /api/providers': { success: true, data: [] },
  'GET /api/timeline': { success: true, data: { events: [], event_count: 0, expected: [] } },
  'GET /api/notes': { success: true, data: [], meta: { total: 0, readers: [] } },
  'GET /api/attention': {
    success: true,
    data: [],
    meta: { total: 0, tabs: { you: 0, others: 0, snoozed: 0 }, groups: {} },
  },
};

/** For a test of one part: what the rest of the screen reads stays on its way. */
export const READS_UNDER_WAY: Answers = {
  ...Object.fromEntries(
    Object.keys(contract)
      .filter((key) => key.startsWith('GET '))
      .map((key) => [key, never]),
  ),
  ...FRAME,
};

export interface Shown {
  answers?: Answers;
  user?: SignedInUser;
  /** Of the window, px. */
  width?: number;
  height?: number;
  /** Answers that no server gives, to see what the screen does with them. */
  breaksContract?: boolean;
  /** In place of a person whose session lasts. */
  client?: IdentityClient;
  config?: Partial<PublicConfig>;
  auth?: AuthAnswers;
}

/** Opens a screen of the console by its address: the real router and frame, over answers in place of a server. */
export async function showScreen(
  path: string,
  { answers = {}, user = SUPER_ADMIN, client = signedIn(user), config, auth, ...shown }: Shown,
) {
  const { width = 1440, height = 900, breaksContract = false } = shown;
  await prepare(width, height);
  const server = serveCalls({ ...FRAME, ...answers }, { breaksContract, auth });
  const { getToken, forget, confirmRecentAuth } = client;
  connectCredentials({ getToken, onLost: forget, confirmRecentAuth, onFactorMissing: () => {} });
  const history = createMemoryHistory({ initialEntries: [path] });
  personSettings.set(user.settings);
  setOwnLists(user);
  drafts.set({});
  const own = createRouter({ ...router.options, history });
  document.getElementById('root')?.remove();
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <IdentityContext value={{ config: { ...CONFIG, ...config }, client }}>
        <client.Provider>
          <RouterProvider router={own as typeof router} />
        </client.Provider>
      </IdentityContext>
      <ToastsOnDemand />
    </QueryClientProvider>,
    // As in index.html, for the styles of the frame.
    { container: document.body.appendChild(Object.assign(document.createElement('div'), { id: 'root' })) },
  );
  return {
    ...screen,
    server,
    /** Where the address bar would be. */
    address: () => own.latestLocation.href,
  };
}

/** A window of this size, which the test leaves as it found it. */
async function prepare(width: number, height: number): Promise<void> {
  await page.viewport(width, height);
  onTestFinished(async () => {
    await cleanup();
    document.documentElement.classList.remove('dark');
    queryClient.clear();
    connectCredentials(null);
    toasts.set([]);
    personSettings.set(PERSON_DEFAULTS);
    sessionStorage.clear();
    localStorage.clear();
  });
}

/** Shows a part of screens by itself. */
export async function showPart(
  part: ReactNode,
  { width = 1440, height = 900 }: Pick<Shown, 'width' | 'height'> = {},
) {
  await prepare(width, height);
  return render(part, {
    wrapper: ({ children }) => (
      <>
        <main>
          <h1 className="sr-only">A part of a screen</h1>
          {children}
        </main>
        <ToastsOnDemand />
      </>
    ),
  });
}

const Nothing = () => null;

/** A person whose session lasts. */
const signedIn = (user: SignedInUser): IdentityClient => ({
  Provider: Fragment,
  useSession: () => ({ status: 'signed-in', user }),
  getToken: async () => 'token-of-a-test',
  refresh: async () => {},
  confirmRecentAuth: async () => false,
  forget: () => {},
  signOut: async () => {},
  SignInPage: Nothing,
  UserMenu: Nothing,
  ProfilePage: Nothing,
});
