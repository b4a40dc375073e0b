import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { untilAnswered } from '../../../lib/api/until-answered.ts';
import { usdt } from '../../../lib/format/payout-texts.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { addressesOf } from '../distribute/selection.ts';
import { followDistribution } from '../follow/followed-distributions.ts';
import { payoutsWord, STILL_WORKING } from '../payout-texts.ts';
import { type Distribution, payoutsKeys, payoutsOfQuery } from '../payouts-queries.ts';
import { RecipientTable } from '../recipients/recipient-table.tsx';

export type Decision = 'approve' | 'decline';

interface DecideDialogProps {
  distribution: Distribution;
  decision: Decision;
  onClose(): void;
}

const BUSY: Record<Decision, string> = { approve: 'Approving...', decline: 'Declining...' };

/** Asks for confirmation before a distribution is approved or declined, and shows its recipients. */
export function DecideDialog({ distribution, decision, onClose }: DecideDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const [isLate, setLate] = useState(false);
  const { id, total_amount, payout_count, requested_by, community, approvals } = distribution;
  const communityId = community.id;
  const { data, error, refetch } = useQuery(payoutsOfQuery(communityId, id));
  const lines = useMemo(
    () =>
      data?.map((payout) => ({
        recipientAddress: payout.recipient_address,
        recipientType: payout.recipient_type,
        amount: payout.total_amount,
      })),
    [data],
  );
  const decide = useMutation({
    mutationFn: () => {
      const input = { params: { id }, idempotencyKey: once.keyOf({ id, decision }) };
      setLate(false);
      return untilAnswered(
        () =>
          decision === 'approve'
            ? call('POST /api/super-admin/distributions/{id}/approve', input)
            : call('POST /api/super-admin/distributions/{id}/decline', input),
        { onLate: () => setLate(true) },
      );
    },
    onSuccess: ({ data: decided }) => {
      const text = `${usdt(total_amount)} in ${payoutsWord(payout_count)}`;
      if (decided.state === 'awaiting_approval')
        toast({
          tone: 'neutral',
          title: 'Approved',
          text: 'One more super admin must approve it. Nothing is sent.',
        });
      else if (decision === 'approve') {
        toast({ tone: 'neutral', title: 'Distribution approved', text: `${text}. Not sent yet.` });
        const recipients = addressesOf(lines ?? []).size || payout_count;
        followDistribution({ distributionId: id, communityId, orderedAmount: total_amount, recipients });
      } else toast({ tone: 'neutral', title: 'Distribution declined', text: `${text} is pending again` });
      onClose();
    },
    onError: once.failed,
    onSettled: readAgain(client, payoutsKeys.all),
  });
  const isApproval = decision === 'approve';
  const isLast = approvals.given_by.length + 1 >= approvals.needed;
  return (
    <Dialog
      wide
      title={isApproval ? 'Approve distribution' : 'Decline distribution'}
      text={
        isApproval
          ? `${requested_by} requested it. ${isLast ? 'Once you approve it, the money moves.' : 'It is above the largest payout: one more super admin must approve it after you.'}`
          : `${requested_by} requested it. Nothing is paid, and the shares are pending again.`
      }
      onClose={onClose}
    >
      <DialogBody>
        <QueryState
          small
          error={
            error && !data ? { title: 'The payouts could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={!lines}
          loading={<Loading text="Reading the payouts..." />}
          isEmpty={false}
          empty={null}
        >
          {lines && <RecipientTable label="Payouts to decide about" lines={lines} />}
        </QueryState>
        <div className="shrink-0 px-4 py-3 empty:hidden">
          {decide.error ? <FormError message={messageOf(decide.error)} /> : null}
          {decide.isPending && isLate && (
            <p role="status" className="text-muted">
              {STILL_WORKING}
            </p>
          )}
        </div>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Back</Button>
        <Button
          look={isApproval ? 'primary' : 'danger'}
          className="tabular-nums"
          aria-disabled={decide.isPending}
          onClick={() => !decide.isPending && decide.mutate()}
        >
          {decide.isPending
            ? isLate
              ? 'Still working...'
              : BUSY[decision]
            : isApproval
              ? `Approve ${usdt(total_amount)} in ${payoutsWord(payout_count)}`
              : `Decline ${usdt(total_amount)}`}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
