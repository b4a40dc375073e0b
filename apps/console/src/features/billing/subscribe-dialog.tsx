import { call } from '../../lib/api/api.ts';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { type Interval, subscriptionKey } from './subscription-query.ts';
import { INTERVAL_WORDS, priceWords } from './subscription-texts.ts';

interface SubscribeDialogProps {
  community: { id: string; name: string };
  interval: Interval;
  price: string;
  onClose(): void;
}

/** Leads to the page of the payment service. Nothing is paid before. */
export function SubscribeDialog({ community, interval, price, onClose }: SubscribeDialogProps) {
  const open = useAct({
    send: async (keyOf) => {
      const { data } = await call('POST /api/communities/{id}/checkout', {
        params: { id: community.id },
        body: { interval },
        idempotencyKey: keyOf({ interval }),
      });
      window.location.assign(data.url);
    },
    done: () => ({ title: 'Opening the payment page', text: 'Nothing has been paid yet.' }),
    reads: subscriptionKey(community.id),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Subscribe ${community.name}`}
      text={`${INTERVAL_WORDS[interval].label}, ${priceWords(price, interval)}, until it is cancelled. You pay on the page of Stripe and come back here.`}
      confirm="Continue to payment"
      busy="Opening..."
      {...open}
      onClose={onClose}
    />
  );
}
