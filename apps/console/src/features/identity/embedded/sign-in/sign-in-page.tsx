import { useEffect, useRef, useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { usePageTitle } from '../../../../lib/use-page-title.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { CardPage } from '../../../../ui/layout/card-page.tsx';
import type { PublicConfig } from '../../identity.ts';
import { isOffered, Pricing } from '../../pricing.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { AcceptForm } from './accept-form.tsx';
import { FormShell, ViewLink } from './form-shell.tsx';
import { PasswordForm } from './password-form.tsx';
import { Personas } from './personas.tsx';
import { ResetForm } from './reset-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { goToView, useSignInHash } from './sign-in-hash.ts';
import { WaitlistForm } from './waitlist-form.tsx';

/** A build for production has no code of the demo world's sign-in. */
const HAS_PERSONAS = import.meta.env.MODE !== 'production';

interface SignInPageProps {
  config: PublicConfig;
  onSignedIn(): Promise<void>;
}

export default function SignInPage({ config, onSignedIn }: SignInPageProps) {
  usePageTitle('Sign in');
  const { view, token } = useSignInHash();
  const card = useRef<HTMLDivElement>(null);
  const shownView = useRef(view);

  useEffect(() => {
    if (config.setup_required && view === '') goToView('setup');
  }, [config.setup_required, view]);

  useEffect(() => {
    if (shownView.current === view) return;
    shownView.current = view;
    card.current?.querySelector('h1')?.focus();
  }, [view]);

  const views = {
    '': <PasswordForm hasPlans={isOffered(config.plans)} onSignedIn={onSignedIn} />,
    'factor-two': <SecondFactorForm onSignedIn={onSignedIn} />,
    setup: <SetupForm />,
    accept: <AcceptForm token={token} onSignedIn={onSignedIn} />,
    forgot: <ForgotForm />,
    reset: <ResetForm token={token} />,
    waitlist: <WaitlistForm />,
    pricing: (
      <Pricing
        plans={config.plans}
        links={
          <>
            <ViewLink to="waitlist">Ask for access</ViewLink>
            <ViewLink to="">Back to sign in</ViewLink>
          </>
        }
      />
    ),
  };
  return (
    <CardPage
      ref={card}
      below={HAS_PERSONAS && config.demo && view === '' && <Personas onSignedIn={onSignedIn} />}
    >
      {views[view]}
    </CardPage>
  );
}

function ForgotForm() {
  const [isSent, setSent] = useState(false);
  const form = useForm({ email: '' }, async ({ email }) => {
    await unwrap(authClient.requestPasswordReset({ email: email.trim(), redirectTo: '/sign-in#/reset' }));
    setSent(true);
  });
  if (isSent) {
    return (
      <div role="status" className="space-y-3">
        <h1 className="text-lg font-semibold tracking-tight">Check your e-mail</h1>
        {/* The same text whether or not such an account exists. */}
        <p className="text-muted">
          If an account belongs to that address, a link to choose a new password is on its way.
        </p>
        <ViewLink to="">Back to sign in</ViewLink>
      </div>
    );
  }
  return (
    <FormShell
      title="Reset your password"
      text="We will send you a link to choose a new one."
      submit="Send link"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <TextField label="E-mail" name="email" type="email" autoComplete="username" />
    </FormShell>
  );
}

function SetupForm() {
  const form = useForm({ token: '', email: '', name: '', newPassword: '' }, async (fields) => {
    const { token, name, newPassword: password } = fields;
    const email = fields.email.trim();
    await call('POST /api/setup', { body: { token: token.trim(), email, name, password } });
    await unwrap(authClient.signIn.email({ email, password }));
    // A full reload, because the server's state has changed: the set-up is closed now.
    window.location.replace('/');
  });
  return (
    <FormShell
      title="Set up Copydesk"
      text="Create the first super admin. The one-time setup token is in the server's log."
      submit="Create super admin"
      form={form}
      footer={<ViewLink to="">Back to sign in</ViewLink>}
    >
      <TextField label="Setup token" name="token" autoComplete="off" spellCheck={false} />
      <TextField label="E-mail" name="email" type="email" autoComplete="username" />
      <TextField label="Name" name="name" autoComplete="name" maxLength={200} />
      <TextField
        label="Password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint="12 to 128 characters"
      />
    </FormShell>
  );
}
