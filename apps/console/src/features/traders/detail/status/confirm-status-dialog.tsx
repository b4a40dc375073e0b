import type { Trader } from '@copydesk/contract/traders';
import { formatWholeUsd } from '@copydesk/domain/money';
import type { TraderStatus } from '@copydesk/domain/traders';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { useSeen } from '../../../../lib/use-seen.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { STATUS_LABELS } from '../../status-labels.ts';
import { useChangeTrader } from '../use-change-trader.ts';

interface ConfirmStatusDialogProps {
  trader: Trader;
  to: TraderStatus;
  onClose(): void;
}

export function ConfirmStatusDialog({ trader, to, onClose }: ConfirmStatusDialogProps) {
  const change = useChangeTrader(trader.id);
  const { seen, refused } = useSeen({ ...trader, version: trader.version ?? '' }, () => {});
  const confirm = () => {
    if (change.isPending) return;
    const onSuccess = () => {
      toast({ tone: 'positive', title: 'Status updated', text: `The trader is now ${STATUS_LABELS[to]}.` });
      onClose();
    };
    change.mutate({ status: to, version: seen.version }, { onSuccess, onError: refused });
  };
  const { below_minimum_balance: belowMinimum } = trader;
  const [name, before, after] = [displayName(trader), STATUS_LABELS[seen.status], STATUS_LABELS[to]];
  return (
    <Dialog
      title="Confirm Status Change"
      text={`Are you sure you want to change the status of trader ${name} from ${before} to ${after}?`}
      onClose={onClose}
    >
      {to === 'connected' && belowMinimum !== null && belowMinimum !== undefined && (
        <p className="mb-3 rounded-md bg-caution-soft px-3 py-2 text-caution">
          Its balance is below the minimum balance of its community, {formatWholeUsd(belowMinimum)}.
        </p>
      )}
      <FormError message={change.error ? messageOf(change.error) : null} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" aria-disabled={change.isPending} onClick={confirm}>
          {change.isPending ? 'Saving...' : 'Confirm'}
        </Button>
      </div>
    </Dialog>
  );
}
