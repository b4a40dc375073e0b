import Clock from 'lucide-react/icons/clock';
import { call } from '../../../../lib/api/api.ts';
import { addressHoldWords } from '../../../../lib/format/payout-texts.ts';
import { momentWords } from '../../../../lib/format/read-time.ts';
import { formatUsdt } from '../../../../lib/format/usdt.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { WholeAddress } from '../../../../ui/figures/address.tsx';
import { Facts, StackedFact } from '../../../../ui/figures/fact.tsx';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../../ui/form/reason-field.tsx';
import { useDialogForm } from '../../../../ui/form/use-dialog-form.ts';
import { OwnerWord } from '../../addresses/owner-word.tsx';
import { type PayoutDetail, payoutHistoryKey } from '../history-queries.ts';
import { resendLabel } from '../panel/problem-texts.ts';

/** Orders a failed payout again to the recipient's present address, with the reason for the failure. */
export function ResendDialog({ payout, onClose }: { payout: PayoutDetail; onClose(): void }) {
  const { id, total_amount, recipient_address, current_address } = payout;
  const { current_address_payable_from: from, current_address_awaits_release: awaits } = payout;
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) =>
      reason.trim() === '' ? { reason: 'Explain how you know that it was not paid' } : null,
    send: ({ reason }, keyOf) => {
      const body = { reason: reason.trim() };
      const idempotencyKey = keyOf({ id, body });
      return call('POST /api/sweep-operations/{id}/resend', { params: { id }, body, idempotencyKey });
    },
    done: ({ data }) => ({
      tone: 'neutral',
      title: `Payout ordered: 1 recipient, ${formatUsdt(data.total_amount)} USDT`,
      text:
        data.distribution?.state === 'awaiting_approval'
          ? 'Another super admin must approve it first.'
          : 'Not sent yet.',
    }),
    reads: payoutHistoryKey,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={resendLabel(payout)}
      text={`${formatUsdt(total_amount)} USDT is ordered again as a new payout. This one stays failed.`}
      confirm="Order payout"
      busy="Ordering..."
      isBlocked={from !== null}
      onClose={onClose}
    >
      <Facts className="space-y-2">
        {current_address !== null && (
          <StackedFact label="Original address">
            <WholeAddress address={recipient_address} className="line-through" />
          </StackedFact>
        )}
        <StackedFact
          label="Goes to"
          note={current_address !== null && <OwnerWord word={payout.current_address_owner_word} />}
        >
          <WholeAddress address={current_address ?? recipient_address} className="font-medium" />
        </StackedFact>
      </Facts>
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
      <ReasonField label="Why it was not paid" />
    </FormDialog>
  );
}
