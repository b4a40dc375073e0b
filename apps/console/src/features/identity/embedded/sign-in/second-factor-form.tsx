import { useState } from 'react';
import { ApiError } from '../../../../lib/api/api-error.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { FormShell, ViewLink } from './form-shell.tsx';
import { goToView } from './sign-in-hash.ts';

interface SecondFactorFormProps {
  onSignedIn(): Promise<void>;
}

export function SecondFactorForm({ onSignedIn }: SecondFactorFormProps) {
  const [kind, setKind] = useState<'code' | 'backup'>('code');
  const isBackup = kind === 'backup';
  const form = useForm(
    { code: '', backupCode: '' },
    async ({ code, backupCode }) => {
      const checked = isBackup
        ? unwrap(authClient.twoFactor.verifyBackupCode({ code: backupCode }))
        : unwrap(authClient.twoFactor.verifyTotp({ code }));
      try {
        await checked;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'INVALID_TWO_FACTOR_COOKIE') throw error;
        toast({
          tone: 'neutral',
          title: 'Start again',
          text: 'This sign-in has ended: the code has to follow the password within ten minutes.',
        });
        return goToView('');
      }
      await onSignedIn();
    },
    [isBackup ? 'backupCode' : 'code'],
  );
  return (
    <FormShell
      title="Two-factor authentication"
      text={isBackup ? 'Enter one of your backup codes.' : 'Enter the code from your authenticator app.'}
      submit="Continue"
      form={form}
      footer={
        <>
          <button
            type="button"
            onClick={() => setKind(isBackup ? 'code' : 'backup')}
            className="rounded font-medium text-accent underline-offset-2 hover:underline"
          >
            {isBackup ? 'Use a code from the app' : 'Use a backup code'}
          </button>
          <ViewLink to="">Back to sign in</ViewLink>
        </>
      }
    >
      {isBackup ? (
        <TextField key="backup" label="Backup code" name="backupCode" autoComplete="off" />
      ) : (
        <TextField
          key="code"
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
        />
      )}
    </FormShell>
  );
}
