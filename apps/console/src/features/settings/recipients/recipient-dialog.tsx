import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { type Recipient, settingsKeys } from '../settings-queries.ts';
import { RECIPIENT_WORDS } from './recipient-texts.ts';

/** Changes where a recipient of the platform is paid. */
export function RecipientDialog({ recipient, onClose }: { recipient: Recipient; onClose(): void }) {
  const { recipient_type: type } = recipient;
  const form = useEditForm({
    record: recipient,
    valuesOf: ({ address }) => ({ address: address ?? '' }),
    changesOf: ({ address }, seen): { address?: string | null } =>
      address.trim().toLowerCase() === (seen.address ?? '').toLowerCase()
        ? {}
        : { address: address.trim() || null },
    send: ({ address = null, version }, keyOf) => {
      const body = { address, version };
      return call('PUT /api/platform-settings/recipients/{type}', {
        params: { type },
        body,
        idempotencyKey: keyOf({ type, ...body }),
      });
    },
    done: () => ({ title: 'Address saved', text: RECIPIENT_WORDS[type].label }),
    reads: settingsKeys.all,
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Payout address of ${RECIPIENT_WORDS[type].label}`}
      text="A new address is held before it is paid to, unless another super admin releases it. Without an address the shares wait."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <TextField
        label="Address on BNB Smart Chain"
        name="address"
        isMono
        autoComplete="off"
        autoFocus
        spellCheck={false}
        maxLength={42}
        placeholder="0x..."
      />
    </FormDialog>
  );
}
