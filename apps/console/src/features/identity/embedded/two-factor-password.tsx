import { Button } from '../../../ui/form/button.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { authClient, unwrap } from './auth-client.ts';
import { CodeField } from './code-field.tsx';
import { useForm } from './use-form.ts';
import { withRecentAuth } from './with-recent-auth.ts';

interface TwoFactorPasswordProps {
  email: string;
  isOn: boolean;
  onEnabled(setup: { totpUri: string; backupCodes: string[] }): void;
  onDisabled(): Promise<void>;
}

export function TwoFactorPassword({ email, isOn, onEnabled, onDisabled }: TwoFactorPasswordProps) {
  const names = isOn ? (['password', 'code'] as const) : (['password'] as const);
  const form = useForm<{ password: string; code: string }>(names, async ({ password, code }) => {
    if (isOn) {
      // Our server requires the code; the library's types do not know the field.
      const proof: { password: string } = { password, ...{ code: code.replace(/\s/g, '') } };
      await unwrap(authClient.twoFactor.disable(proof));
      return onDisabled();
    }
    const setup = await withRecentAuth(() => unwrap(authClient.twoFactor.enable({ password })));
    if (!('totpURI' in setup)) throw new Error('The server offers no authenticator app set-up.');
    onEnabled({ totpUri: setup.totpURI, backupCodes: setup.backupCodes });
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="space-y-4">
      <FormError message={form.message} />
      {/* Password managers look for the account of a password. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        error={form.errors.password}
      />
      {isOn && <CodeField error={form.errors.code} />}
      <Button
        type="submit"
        look={isOn ? 'danger' : 'primary'}
        aria-disabled={form.isBusy}
        className="h-9! w-full"
      >
        {isOn ? 'Turn off' : 'Continue'}
      </Button>
    </form>
  );
}
