import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { botKeys, type Plan } from '../bot-queries.ts';

interface OfferPlanDialogProps {
  plan: Plan;
  onClose(): void;
}

/** Offers a plan, or stops offering it. */
export function OfferPlanDialog({ plan, onClose }: OfferPlanDialogProps) {
  const isOffered = !plan.is_active;
  const change = useAct({
    send: () =>
      call('PATCH /api/exchange-bot/pricing/{id}', {
        params: { id: plan.id },
        body: { is_active: isOffered },
      }),
    done: () => ({ title: isOffered ? 'Plan offered' : 'Plan no longer offered', text: plan.name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`${isOffered ? 'Offer' : 'Stop offering'} ${plan.name}`}
      text={isOffered ? 'People see it in the bot.' : 'People no longer see it. It can be offered again.'}
      confirm={isOffered ? 'Offer' : 'Stop offering'}
      busy="Saving..."
      {...change}
      onClose={onClose}
    />
  );
}
