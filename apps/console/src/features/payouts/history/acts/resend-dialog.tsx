import { useQueryClient } from '@tanstack/react-query';
import Clock from 'lucide-react/icons/clock';
import { call } from '../../../../lib/api/api.ts';
import { useOnceKey } from '../../../../lib/api/once-key.ts';
import { addressHoldWords, formatUsdt } from '../../../../lib/format/payout-texts.ts';
import { momentWords } from '../../../../lib/format/read-time.ts';
import { useForm } from '../../../../lib/use-form.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { ReasonField } from '../../../../ui/form/reason-field.tsx';
import { OwnerWord } from '../../addresses/owner-word.tsx';
import { type PayoutDetail, payoutHistoryKey } from '../history-queries.ts';
import { resendLabel } from '../panel/problem-texts.ts';

/** Orders a failed payout again to the recipient's present address, with the reason for the failure. */
export function ResendDialog({ payout, onClose }: { payout: PayoutDetail; onClose(): void }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { id, total_amount, recipient_address, current_address } = payout;
  const { current_address_payable_from: from, current_address_awaits_release: awaits } = payout;
  const resend = async ({ reason }: { reason: string }) => {
    const body = { reason: reason.trim() };
    try {
      const idempotencyKey = once.keyOf({ id, body });
      const { data } = await call('POST /api/sweep-operations/{id}/resend', {
        params: { id },
        body,
        idempotencyKey,
      });
      const isAwaiting = data.distribution?.state === 'awaiting_approval';
      toast({
        tone: 'neutral',
        title: `Payout ordered: 1 recipient, ${formatUsdt(data.total_amount)} USDT`,
        text: isAwaiting ? 'Another super admin must approve it first.' : 'Not sent yet.',
      });
    } catch (error) {
      once.failed(error);
      throw error;
    }
    void client.invalidateQueries({ queryKey: payoutHistoryKey });
    onClose();
  };
  const form = useForm<{ reason: string }>(['reason'], resend, ({ reason }) =>
    reason.trim() === '' ? { reason: 'Explain how you know that it was not paid' } : null,
  );
  return (
    <Dialog
      title={resendLabel(payout)}
      text={`${formatUsdt(total_amount)} USDT is ordered again as a new payout. This one stays failed.`}
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <dl className="space-y-1 text-xs">
          {current_address !== null && (
            <div>
              <dt className="text-muted">Original address</dt>
              <dd className="font-mono break-all line-through">{recipient_address}</dd>
            </div>
          )}
          <div>
            <dt className="text-muted">Goes to</dt>
            <dd className="font-mono font-medium break-all">{current_address ?? recipient_address}</dd>
            {current_address !== null && (
              <dd>
                <OwnerWord word={payout.current_address_owner_word} />
              </dd>
            )}
          </div>
        </dl>
        {from !== null && (
          <Notice
            tone="caution"
            icon={Clock}
            isBox
            title={
              awaits ? 'This address is not released' : `This address is payable from ${momentWords(from)}`
            }
          >
            {awaits
              ? `${addressHoldWords(from, true)}. Super Admin lists what waits for a release.`
              : 'It was changed recently.'}
          </Notice>
        )}
        <ReasonField label="Why it was not paid" form={form} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button
            type="submit"
            look="primary"
            disabled={from !== null}
            aria-disabled={form.isBusy || from !== null}
          >
            {form.isBusy ? 'Ordering...' : 'Order payout'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
