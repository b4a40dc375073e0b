import type { CallAnswer } from '@copydesk/contract';
import { call } from '../../../../lib/api/api.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useAct } from '../../../../ui/form/use-act.ts';
import { useForm } from '../use-form.ts';
import { addPasskey } from './passkeys.ts';

export type OwnPasskey = CallAnswer<'GET /api/me/second-factor'>['data']['passkeys'][number];

interface PasskeyDialogProps {
  passkey: OwnPasskey;
  onDone(): Promise<void>;
  onClose(): void;
}

export function RenamePasskeyDialog({ passkey: { id, name }, onDone, onClose }: PasskeyDialogProps) {
  const form = useForm({ passkeyName: name }, async ({ passkeyName }) => {
    await call('PATCH /api/me/passkeys/{id}', { params: { id }, body: { name: passkeyName.trim() } });
    await onDone();
  });
  return (
    <FormDialog
      form={form}
      title="Rename passkey"
      text="The name is for you alone. The passkey stays as it is."
      confirm="Save"
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <PasskeyNameField />
    </FormDialog>
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
  const removal = useAct({
    send: async () => {
      await call('DELETE /api/me/passkeys/{id}', { params: { id } });
      await onDone();
    },
    done: () => ({ title: 'Passkey removed', text: name }),
    onDone: () => {},
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
      isDanger
      {...removal}
      onClose={onClose}
    />
  );
}

/** The name under which a person finds a passkey again. */
function PasskeyNameField() {
  return (
    <TextField
      label="Name"
      name="passkeyName"
      hint="Name the device or the password manager that holds it."
      placeholder="Work laptop"
      maxLength={60}
      autoComplete="off"
      data-first-focus
    />
  );
}

interface AddPasskeyDialogProps {
  onAdded(): Promise<void>;
  onClose(): void;
}

/** Asks for a name, then has the browser create the passkey. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const form = useForm({ passkeyName: '' }, async ({ passkeyName }) => {
    const name = passkeyName.trim();
    await addPasskey(name);
    await onAdded();
    toast({ tone: 'positive', title: 'Passkey added', text: name });
  });
  return (
    <FormDialog
      form={form}
      title="Add passkey"
      text="Your browser asks for a fingerprint, a face or a PIN, on this device or on another one nearby. From then on it signs you in without a password or a code."
      confirm="Continue"
      busy="Waiting for your device..."
      leave="Cancel"
      onClose={onClose}
    >
      <PasskeyNameField />
    </FormDialog>
  );
}
