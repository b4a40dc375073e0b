import type { Trader } from '@copydesk/contract/traders';
import type { TraderStatus } from '@copydesk/domain/traders';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { useSeen } from '../../../../lib/use-seen.ts';
import { Money } from '../../../../ui/figures/money.tsx';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../../ui/form/use-act.ts';
import { STATUS_LABELS } from '../../status-labels.ts';
import { useChangeTrader } from '../use-change-trader.ts';

interface ConfirmStatusDialogProps {
  trader: Trader;
  to: TraderStatus;
  onClose(): void;
}

export function ConfirmStatusDialog({ trader, to, onClose }: ConfirmStatusDialogProps) {
  const { change, changed, reads } = useChangeTrader(trader.id);
  const { seen, refused } = useSeen({ ...trader, version: trader.version ?? '' });
  const act = useAct({
    send: () => change({ status: to, version: seen.version }),
    done: () => ({ title: 'Status updated', text: `The trader is now ${STATUS_LABELS[to]}.` }),
    reads,
    onDone: (answer) => {
      changed(answer);
      onClose();
    },
    onError: refused,
  });
  const { below_minimum_balance: belowMinimum } = trader;
  const [name, before, after] = [displayName(trader), STATUS_LABELS[seen.status], STATUS_LABELS[to]];
  return (
    <AskDialog
      title="Confirm Status Change"
      text={`Are you sure you want to change the status of trader ${name} from ${before} to ${after}?`}
      confirm="Confirm"
      busy="Saving..."
      leave="Cancel"
      {...act}
      onClose={onClose}
    >
      {to === 'connected' && belowMinimum !== null && belowMinimum !== undefined && (
        <p className="rounded-md bg-caution-soft px-3 py-2 text-caution">
          Its balance is below the minimum balance of its community,{' '}
          <Money amount={belowMinimum} as="equity" />.
        </p>
      )}
    </AskDialog>
  );
}
