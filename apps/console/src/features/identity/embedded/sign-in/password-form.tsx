import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { canUsePasskeys } from '../passkeys/passkey-failure.ts';
import { signInWithPasskey } from '../passkeys/passkeys.ts';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';
import { goToView } from './sign-in-hash.ts';

/** Kept while the page is open: a sign-in that has ended begins with it again. */
let lastAddress = '';

interface PasswordFormProps {
  /** Whether there are prices to show. */
  hasPlans: boolean;
  onSignedIn(): Promise<void>;
}

export function PasswordForm({ hasPlans, onSignedIn }: PasswordFormProps) {
  const form = useForm({ email: lastAddress, password: '' }, async ({ email, password }) => {
    lastAddress = email;
    const answer = await unwrap(authClient.signIn.email({ email: email.trim(), password }));
    if ('twoFactorRedirect' in answer && answer.twoFactorRedirect) return goToView('factor-two');
    await onSignedIn();
  });
  return (
    <FormShell
      title="Sign in to Copydesk"
      submit="Sign in"
      form={form}
      footer={
        <>
          <PasskeySignIn onSignedIn={onSignedIn} />
          <ViewLink to="forgot">Forgot your password?</ViewLink>
          <ViewLink to="waitlist">Ask for access</ViewLink>
          {hasPlans && <ViewLink to="pricing">Pricing</ViewLink>}
        </>
      }
    >
      <TextField label="E-mail" name="email" type="email" autoComplete="username" autoFocus />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
    </FormShell>
  );
}

/** Signs in without e-mail address and password, where the browser can. */
function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  if (!canUsePasskeys()) return null;
  const signIn = async () => {
    await signInWithPasskey();
    await onSignedIn();
  };
  return <PasskeyButton label="Sign in with a passkey" run={signIn} />;
}
