import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { PasskeyNameField } from './passkey-name-field.tsx';
import { addPasskey } from './passkeys.ts';
import { useForm } from './use-form.ts';

interface AddPasskeyDialogProps {
  onAdded(): Promise<void>;
  onClose(): void;
}

/** Asks for a name, then has the browser create the passkey. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const form = useForm<{ passkeyName: string }>(['passkeyName'], async ({ passkeyName }) => {
    const name = passkeyName.trim();
    await addPasskey(name);
    await onAdded();
    toast({ tone: 'positive', title: 'Passkey added', text: name });
  });
  return (
    <Dialog
      title="Add passkey"
      text="Your browser asks for a fingerprint, a face or a PIN, on this device or on another one nearby. From then on it signs you in without a password or a code."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <FormError message={form.errors.passkeyName ? null : form.message} />
        <PasskeyNameField error={form.errors.passkeyName} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Waiting for your device...' : 'Continue'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
