import { PasskeyButton } from './passkey-button.tsx';
import { canUsePasskeys } from './passkey-support.ts';
import { signInWithPasskey } from './passkeys.ts';

/** Signs in without e-mail address and password, where the browser can. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  if (!canUsePasskeys()) return null;
  const signIn = async () => {
    await signInWithPasskey();
    await onSignedIn();
  };
  return <PasskeyButton label="Sign in with a passkey" run={signIn} />;
}
