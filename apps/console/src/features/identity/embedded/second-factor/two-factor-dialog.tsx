import { useState } from 'react';
import { renderSVG } from 'uqr';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { Form } from '../../../../ui/form/form-dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { withRecentAuth } from '../recent-auth.ts';
import { useForm } from '../use-form.ts';
import { BackupCodes } from './backup-codes.tsx';
import { CodeField } from './code-field.tsx';

interface TwoFactorDialogProps {
  email: string;
  isOn: boolean;
  onChanged(): Promise<void>;
  onClose(): void;
}

type Step =
  | { name: 'password' }
  | { name: 'verify'; totpUri: string; backupCodes: string[] }
  | { name: 'codes'; backupCodes: string[] };

const TEXTS = {
  password: {
    on: 'It is on. Enter your password and a code from your authenticator app to turn it off.',
    off: 'Every sign-in with your password will ask for a code from your authenticator app. Enter the password to set it up.',
  },
  verify: 'Scan the code with an authenticator app, then enter the six digits it shows.',
  codes: 'Each code signs you in once if you lose the app. They are shown only now.',
};

export default function TwoFactorDialog({ email, isOn, onChanged, onClose }: TwoFactorDialogProps) {
  // The state when the dialog opened: the session changes during the flow.
  const [wasOn] = useState(isOn);
  const [step, setStep] = useState<Step>({ name: 'password' });
  const text = step.name === 'password' ? TEXTS.password[wasOn ? 'on' : 'off'] : TEXTS[step.name];

  const turnedOff = async () => {
    await onChanged();
    toast({ tone: 'positive', title: 'Authenticator app turned off' });
    onClose();
  };
  return (
    <Dialog title="Two-factor authentication" text={text} onClose={onClose}>
      {step.name === 'password' && (
        <TwoFactorPassword
          email={email}
          isOn={wasOn}
          onEnabled={(setup) => setStep({ name: 'verify', ...setup })}
          onDisabled={turnedOff}
        />
      )}
      {step.name === 'verify' && (
        <TwoFactorVerify
          totpUri={step.totpUri}
          onVerified={async () => {
            setStep({ name: 'codes', backupCodes: step.backupCodes });
            await onChanged();
          }}
        />
      )}
      {step.name === 'codes' && <BackupCodes codes={step.backupCodes} onDone={onClose} />}
    </Dialog>
  );
}

interface TwoFactorPasswordProps {
  email: string;
  isOn: boolean;
  onEnabled(setup: { totpUri: string; backupCodes: string[] }): void;
  onDisabled(): Promise<void>;
}

function TwoFactorPassword({ email, isOn, onEnabled, onDisabled }: TwoFactorPasswordProps) {
  const names = isOn ? ['password', 'code'] : ['password'];
  const act = async ({ password, code }: { password: string; code: string }) => {
    if (isOn) {
      // Our server requires the code; the library's types do not know the field.
      const proof: { password: string } = { password, ...{ code: code.replace(/\s/g, '') } };
      await unwrap(authClient.twoFactor.disable(proof));
      return onDisabled();
    }
    const setup = await withRecentAuth(() => unwrap(authClient.twoFactor.enable({ password })));
    if (!('totpURI' in setup)) throw new Error('The server offers no authenticator app set-up.');
    onEnabled({ totpUri: setup.totpURI, backupCodes: setup.backupCodes });
  };
  const form = useForm({ password: '', code: '' }, act, names);
  return (
    <Form form={form} className="space-y-4">
      <FormError message={form.error} />
      {/* Password managers look for the account of a password. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" autoFocus />
      {isOn && <CodeField />}
      <Button
        type="submit"
        look={isOn ? 'danger' : 'primary'}
        aria-disabled={form.isBusy}
        className="h-9! w-full"
      >
        {isOn ? 'Turn off' : 'Continue'}
      </Button>
    </Form>
  );
}

interface TwoFactorVerifyProps {
  totpUri: string;
  onVerified(): Promise<void>;
}

function TwoFactorVerify({ totpUri, onVerified }: TwoFactorVerifyProps) {
  const secret = new URL(totpUri).searchParams.get('secret') ?? '';
  const form = useForm({ code: '' }, async ({ code }) => {
    // Says which set-up the code is for: another tab may have begun another one.
    const body = { code, setUp: secret.slice(0, 8) };
    await withRecentAuth(() =>
      unwrap(authClient.$fetch<{ token: string }>('/two-factor/verify-totp', { method: 'POST', body })),
    );
    await onVerified();
  });
  const copySecret = () =>
    navigator.clipboard.writeText(secret).then(
      () => toast({ tone: 'positive', title: 'Secret copied' }),
      () => toast({ tone: 'negative', title: 'Copy failed' }),
    );
  return (
    <Form form={form} className="space-y-4">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(totpUri, { border: 2 }))}`}
        alt="QR code with the secret for the authenticator app"
        className="mx-auto size-44 rounded-md border border-line bg-white"
      />
      <div className="flex flex-col items-center gap-1 text-xs">
        <span className="text-muted">Or enter this secret by hand</span>
        <code className="text-center font-mono break-all select-all">{secret}</code>
        <Button look="quiet" className="h-7! text-xs!" onClick={copySecret}>
          Copy secret
        </Button>
      </div>
      <FormError message={form.error} />
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
      />
      <Button type="submit" look="primary" aria-disabled={form.isBusy} className="h-9! w-full">
        Turn on
      </Button>
    </Form>
  );
}
