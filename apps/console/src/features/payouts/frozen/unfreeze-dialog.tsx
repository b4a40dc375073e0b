import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { frozenWords } from '../../../lib/format/payout-problem-texts.ts';
import { useForm } from '../../../lib/use-form.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { type FrozenWallet, payoutsKeys } from '../payouts-queries.ts';

interface UnfreezeDialogProps {
  wallet: FrozenWallet;
  name: string;
  onClose(): void;
}

/** Unfreezes a wallet, with the operator's findings as the reason. */
export function UnfreezeDialog({ wallet, name, onClose }: UnfreezeDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const unfreeze = async ({ reason }: { reason: string }) => {
    const body = { reason: reason.trim() };
    try {
      const idempotencyKey = once.keyOf({ id: wallet.id, body });
      await call('POST /api/super-admin/wallets/{id}/unfreeze', {
        params: { id: wallet.id },
        body,
        idempotencyKey,
      });
    } catch (error) {
      once.failed(error);
      throw error;
    }
    toast({ tone: 'positive', title: 'Wallet unfrozen', text: `${name} sends again` });
    void client.invalidateQueries({ queryKey: payoutsKeys.all });
    onClose();
  };
  const form = useForm<{ reason: string }>(['reason'], unfreeze, ({ reason }) =>
    reason.trim() === '' ? { reason: 'Please describe what you found' } : null,
  );
  return (
    <Dialog
      title="Unfreeze"
      text={`${name} sends again from the chain's present state. ${frozenWords(wallet.frozen_because)} Make sure that you know the cause before you continue.`}
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <ReasonField label="What was found" form={form} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Unfreezing...' : 'Unfreeze'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
