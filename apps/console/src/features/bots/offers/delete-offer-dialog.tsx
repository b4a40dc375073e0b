import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys } from '../bot-queries.ts';

const OFFERS = {
  plan: {
    title: (name: string) => `Delete ${name}`,
    text: () => 'It disappears from every list. Coupons for this plan alone can no longer be used.',
    done: 'Plan deleted',
    send: (id: string) => call('DELETE /api/exchange-bot/pricing/{id}', { params: { id } }),
  },
  coupon: {
    title: (name: string) => `Delete ${name}`,
    text: () => 'It cannot be used from now on. The code can be given to another coupon.',
    done: 'Coupon deleted',
    send: (id: string) => call('DELETE /api/exchange-bot/coupons/{id}', { params: { id } }),
  },
  question: {
    title: () => 'Delete question',
    text: (name: string) => name,
    done: 'Question deleted',
    send: (id: string) => call('DELETE /api/exchange-bot/custom-faqs/{id}', { params: { id } }),
  },
};

interface DeleteOfferDialogProps {
  offer: keyof typeof OFFERS;
  id: string;
  /** As people know it: the name of a plan, the code of a coupon, the question. */
  name: string;
  onClose(): void;
}

/** Deletes a plan, a coupon or a question. */
export function DeleteOfferDialog({ offer, id, name, onClose }: DeleteOfferDialogProps) {
  const { title, text, done, send } = OFFERS[offer];
  const remove = useAct({
    send: async () => void (await send(id)),
    done: () => ({ title: done, text: name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={title(name)}
      text={text(name)}
      confirm="Delete"
      busy="Deleting..."
      isDanger
      {...remove}
      onClose={onClose}
    />
  );
}
