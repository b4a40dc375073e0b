import { renderSVG } from 'uqr';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { authClient, unwrap } from './auth-client.ts';
import { useForm } from './use-form.ts';
import { withRecentAuth } from './with-recent-auth.ts';

interface TwoFactorVerifyProps {
  totpUri: string;
  onVerified(): Promise<void>;
}

export function TwoFactorVerify({ totpUri, onVerified }: TwoFactorVerifyProps) {
  const secret = new URL(totpUri).searchParams.get('secret') ?? '';
  const form = useForm<{ code: string }>(['code'], async ({ code }) => {
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
    <form noValidate onSubmit={form.onSubmit} className="space-y-4">
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
      <FormError message={form.message} />
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
        error={form.errors.code}
      />
      <Button type="submit" look="primary" aria-disabled={form.isBusy} className="h-9! w-full">
        Turn on
      </Button>
    </form>
  );
}
