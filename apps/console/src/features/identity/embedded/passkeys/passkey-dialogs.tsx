import type { CallAnswer } from '@copydesk/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useForm } from '../use-form.ts';
import { addPasskey } from './passkeys.ts';

export type OwnPasskey = CallAnswer<'GET /api/me/second-factor'>['data']['passkeys'][number];

interface PasskeyDialogProps {
  passkey: OwnPasskey;
  onDone(): Promise<void>;
  onClose(): void;
}

export function RenamePasskeyDialog({ passkey: { id, name }, onDone, onClose }: PasskeyDialogProps) {
  const form = useForm<{ passkeyName: string }>(['passkeyName'], async ({ passkeyName }) => {
    await call('PATCH /api/me/passkeys/{id}', { params: { id }, body: { name: passkeyName.trim() } });
    await onDone();
  });
  return (
    <Dialog
      title="Rename passkey"
      text="The name is for you alone. The passkey stays as it is."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <FormError message={form.errors.passkeyName ? null : form.message} />
        <PasskeyNameField name={name} error={form.errors.passkeyName} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Saving...' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface RemovePasskeyDialogProps extends PasskeyDialogProps {
  /** Without it, the password alone signs in. */
  isLastFactor: boolean;
  isSuper: boolean;
}

export function RemovePasskeyDialog({
  passkey: { id, name },
  isLastFactor,
  isSuper,
  onDone,
  onClose,
}: RemovePasskeyDialogProps) {
  const removal = useMutation({
    mutationFn: () => call('DELETE /api/me/passkeys/{id}', { params: { id } }),
    onSuccess: async () => {
      await onDone();
      toast({ tone: 'positive', title: 'Passkey removed', text: name });
    },
  });
  const consequence = !isLastFactor
    ? ''
    : isSuper
      ? ' It is your only second factor: without one you cannot act on money and secrets.'
      : ' It is your only second factor: your password alone signs you in afterwards.';
  return (
    <AskDialog
      title={`Remove passkey: ${name}`}
      text={`It no longer signs you in. Delete it on your device as well, which would still offer it.${consequence}`}
      confirm="Remove"
      busy="Removing..."
      isBusy={removal.isPending}
      isDanger
      error={removal.error && messageOf(removal.error)}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}

interface PasskeyNameFieldProps {
  name?: string;
  error: string | undefined;
}

/** The name under which a person finds a passkey again. */
function PasskeyNameField({ name, error }: PasskeyNameFieldProps) {
  return (
    <TextField
      label="Name"
      name="passkeyName"
      hint="Name the device or the password manager that holds it."
      placeholder="Work laptop"
      defaultValue={name}
      maxLength={60}
      autoComplete="off"
      data-first-focus
      error={error}
    />
  );
}

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
