import { SignIn, Waitlist } from '@clerk/react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Button } from '../../../ui/form/button.tsx';
import { CardPage } from '../../../ui/layout/card-page.tsx';
import type { PublicConfig } from '../identity.ts';
import { isOffered, Pricing } from '../pricing.tsx';
import { inOurCard } from './appearance.ts';

interface SignInPageProps {
  config: PublicConfig;
  /** Why a person who has signed in is not let in. */
  refusal: string | null;
  onSignOut(): Promise<void>;
}

const readHash = () => window.location.hash;
function followHash(listener: () => void) {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

const LINK = 'rounded font-medium text-accent underline-offset-2 hover:underline';

function Links({ children }: { children: ReactNode }) {
  return <div className="mt-4 flex flex-wrap justify-between gap-2">{children}</div>;
}

const toSignIn = (
  <a href="#/" className={LINK}>
    Back to sign in
  </a>
);

const toWaitlist = (
  <a href="#/waitlist" className={LINK}>
    Ask for access
  </a>
);

/** The service's forms in the console's page. The rest of the fragment is the step of its form. */
export default function SignInPage({ config, refusal, onSignOut }: SignInPageProps) {
  usePageTitle('Sign in');
  const view = useSyncExternalStore(followHash, readHash).replace(/^#\/?/, '');
  if (refusal !== null)
    return (
      <CardPage>
        <h1 className="text-lg font-semibold tracking-tight">No access</h1>
        <p role="alert" className="mt-1 mb-4 text-muted">
          {refusal}
        </p>
        <Button onClick={() => void onSignOut()}>Sign out</Button>
      </CardPage>
    );
  if (view === 'waitlist')
    return (
      <CardPage>
        <Waitlist signInUrl="/sign-in" appearance={inOurCard} />
        <Links>{toSignIn}</Links>
      </CardPage>
    );
  if (view === 'pricing')
    return (
      <CardPage>
        {/* Ours, not the service's: communities pay us, not it. */}
        <Pricing
          plans={config.plans}
          links={
            <>
              {toWaitlist}
              {toSignIn}
            </>
          }
        />
      </CardPage>
    );
  return (
    <CardPage>
      <SignIn routing="hash" withSignUp={false} appearance={inOurCard} />
      <Links>
        {toWaitlist}
        {isOffered(config.plans) && (
          <a href="#/pricing" className={LINK}>
            Pricing
          </a>
        )}
      </Links>
    </CardPage>
  );
}
