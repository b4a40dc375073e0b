import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { type Recipient, settingsKeys } from '../settings-queries.ts';
import { RECIPIENT_WORDS } from './recipient-texts.ts';

/** Changes where a recipient of the platform is paid. */
export function RecipientDialog({ recipient, onClose }: { recipient: Recipient; onClose(): void }) {
  const { recipient_type: type } = recipient;
  const [typed, setTyped] = useState(recipient.address ?? '');
  const { seen, refused } = useSeen(recipient, ({ address }) => setTyped(address ?? ''));
  const isSame = typed.trim().toLowerCase() === (seen.address ?? '').toLowerCase();
  const change = useAct({
    reads: settingsKeys.all,
    send: (keyOf) => {
      const body = { address: typed.trim() || null, version: seen.version };
      return call('PUT /api/platform-settings/recipients/{type}', {
        params: { type },
        body,
        idempotencyKey: keyOf({ type, ...body }),
      });
    },
    done: () => ({ title: 'Address saved', text: RECIPIENT_WORDS[type].label }),
    onDone: onClose,
    onError: refused,
  });
  return (
    <AskDialog
      title={`Payout address of ${RECIPIENT_WORDS[type].label}`}
      text="A new address is held before it is paid to, unless another super admin releases it. Without an address the shares wait."
      confirm="Save"
      busy="Saving..."
      {...change}
      onConfirm={() => {
        if (!isSame) return change.onConfirm();
        toast({ tone: 'neutral', title: 'No changes to save' });
        onClose();
      }}
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
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </AskDialog>
  );
}
