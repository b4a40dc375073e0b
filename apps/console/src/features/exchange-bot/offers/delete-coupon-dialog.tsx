import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { botKeys, type Coupon } from '../bot-queries.ts';

export function DeleteCouponDialog({ coupon, onClose }: { coupon: Coupon; onClose(): void }) {
  const remove = useAct({
    send: () => call('DELETE /api/exchange-bot/coupons/{id}', { params: { id: coupon.id } }),
    done: () => ({ title: 'Coupon deleted', text: coupon.code }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Delete ${coupon.code}`}
      text="It cannot be used from now on. The code can be given to another coupon."
      confirm="Delete"
      busy="Deleting..."
      isDanger
      {...remove}
      onClose={onClose}
    />
  );
}
