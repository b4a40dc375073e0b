import { call } from '../../../lib/api/api.ts';
import { frozenWords } from '../../../lib/format/payout-problem-texts.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import type { FrozenWallet } from '../payouts-queries.ts';

interface UnfreezeDialogProps {
  wallet: FrozenWallet;
  name: string;
  onClose(): void;
}

/** Unfreezes a wallet, with the operator's findings as the reason. */
export function UnfreezeDialog({ wallet, name, onClose }: UnfreezeDialogProps) {
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) => (reason.trim() === '' ? { reason: 'Please describe what you found' } : null),
    send: ({ reason }, keyOf) => {
      const { id } = wallet;
      const body = { reason: reason.trim() };
      const idempotencyKey = keyOf({ id, body });
      return call('POST /api/super-admin/wallets/{id}/unfreeze', { params: { id }, body, idempotencyKey });
    },
    done: () => ({ title: 'Wallet unfrozen', text: `${name} sends again` }),
    reads: payoutsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Unfreeze"
      text={`${name} sends again from the chain's present state. ${frozenWords(wallet.frozen_because)} Make sure that you know the cause before you continue.`}
      confirm="Unfreeze"
      busy="Unfreezing..."
      onClose={onClose}
    >
      <ReasonField label="What was found" />
    </FormDialog>
  );
}
