import { useState } from 'react';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { authClient, unwrap } from '../auth-client.ts';
import { useForm } from '../use-form.ts';
import { BackupCodes } from './backup-codes.tsx';
import { CodeField } from './code-field.tsx';

interface NewBackupCodesDialogProps {
  email: string;
  onChanged(): Promise<void>;
  onClose(): void;
}

/** Replaces the backup codes, and shows the new ones once. */
export function NewBackupCodesDialog({ email, onChanged, onClose }: NewBackupCodesDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const form = useForm({ password: '', code: '' }, async ({ password, code }) => {
    // Our server requires the code; the library's types do not know the field.
    const proof: { password: string } = { password, ...{ code: code.replace(/\s/g, '') } };
    const { backupCodes } = await unwrap(authClient.twoFactor.generateBackupCodes(proof));
    setCodes(backupCodes);
    await onChanged();
  });
  if (codes)
    return (
      <Dialog
        title="New backup codes"
        text="Each code signs you in once if you lose the app. They are shown only now; the earlier ones no longer work."
        onClose={onClose}
      >
        <BackupCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      form={form}
      title="New backup codes"
      text="You get ten new codes, and the earlier ones stop working at once. Enter your password and a code from your authenticator app."
      confirm="Renew codes"
      busy="Renewing..."
      leave="Cancel"
      onClose={onClose}
    >
      {/* Password managers look for the account of a password. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        data-first-focus
      />
      <CodeField />
    </FormDialog>
  );
}
