import { call } from '../../lib/api/api.ts';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { subscriptionKey } from './subscription-query.ts';

/** Leads to the page where a subscription is changed or canceled. */
export function ManageDialog({
  community,
  onClose,
}: {
  community: { id: string; name: string };
  onClose(): void;
}) {
  const open = useAct({
    send: async () => {
      const { data } = await call('POST /api/communities/{id}/customer-portal', {
        params: { id: community.id },
      });
      window.location.assign(data.url);
    },
    done: () => ({ title: 'Opening the page of Stripe' }),
    reads: subscriptionKey(community.id),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Manage the subscription of ${community.name}`}
      text="Change the card or the interval, cancel or resume on the page of Stripe. Changes appear here once Stripe has reported them."
      confirm="Open Stripe"
      busy="Opening..."
      {...open}
      onClose={onClose}
    />
  );
}
