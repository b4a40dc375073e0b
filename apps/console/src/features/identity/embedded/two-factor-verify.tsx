import { renderSVG } from 'uqr';
import { Button } from '../../../ui/button.tsx';
import { CopyText } from '../../../ui/copy-text.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { authClient, unwrap } from './auth-client.ts';
import { useForm } from './use-form.ts';

interface TwoFactorVerifyProps {
  totpUri: string;
  onVerified(): Promise<void>;
}

export function TwoFactorVerify({ totpUri, onVerified }: TwoFactorVerifyProps) {
  const secret = new URL(totpUri).searchParams.get('secret') ?? '';
  const form = useForm<{ code: string }>(['code'], async ({ code }) => {
    await unwrap(authClient.twoFactor.verifyTotp({ code: code.replace(/\s/g, '') }));
    await onVerified();
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="space-y-4">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(totpUri, { border: 2 }))}`}
        alt="QR code with the secret for the authenticator app"
        className="mx-auto size-44 rounded-md border border-line bg-white"
      />
      <div className="flex flex-col items-center font-mono text-xs">
        <span className="font-sans text-muted">Or enter this secret by hand</span>
        <CopyText
          text={secret}
          what="secret"
          onFailure={() => toast({ tone: 'negative', title: 'Copy failed' })}
        />
      </div>
      <FormError message={form.message} />
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        autoFocus
        error={form.errors.code}
      />
      <Button type="submit" look="primary" aria-disabled={form.isBusy} className="h-9! w-full">
        Turn on
      </Button>
    </form>
  );
}
