import { useQuery } from '@tanstack/react-query';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { untilAnswered } from '../../../lib/api/until-answered.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { addressesOf } from '../distribute/selection.ts';
import { followDistribution } from '../follow/followed-distributions.ts';
import { payoutsWord, STILL_WORKING } from '../payout-texts.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import { type Distribution, paidRecipientsQuery, payoutsOfQuery } from '../payouts-queries.ts';
import { CheckedRecipients } from '../recipients/checked-recipients.tsx';
import { RecipientTable } from '../recipients/recipient-table.tsx';

export type Decision = 'approve' | 'decline';

interface DecideDialogProps {
  distribution: Distribution;
  decision: Decision;
  onClose(): void;
}

export const BUSY: Record<Decision, string> = { approve: 'Approving...', decline: 'Declining...' };

/** Asks for confirmation before a distribution is approved or declined, and shows its recipients. */
export function DecideDialog({ distribution, decision, onClose }: DecideDialogProps) {
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
  const isApproval = decision === 'approve';
  const paid = useQuery({ ...paidRecipientsQuery(id), enabled: isApproval });
  const isReading = isApproval && !paid.data && !paid.isError;
  const decide = useAct({
    send: (keyOf) => {
      const input = { params: { id }, idempotencyKey: keyOf({ id, decision }) };
      setLate(false);
      return untilAnswered(
        () =>
          decision === 'approve'
            ? call('POST /api/super-admin/distributions/{id}/approve', input)
            : call('POST /api/super-admin/distributions/{id}/decline', input),
        { onLate: () => setLate(true) },
      );
    },
    done: ({ data: decided }) => {
      const text = `${usdt(total_amount)} in ${payoutsWord(payout_count)}`;
      if (decided.state === 'awaiting_approval')
        return {
          tone: 'neutral',
          title: 'Approved',
          text: 'One more super admin must approve it. Nothing is sent.',
        };
      return decision === 'approve'
        ? { tone: 'neutral', title: 'Distribution approved', text: `${text}. Not sent yet.` }
        : { tone: 'neutral', title: 'Distribution declined', text: `${text} is pending again` };
    },
    reads: payoutsKeys.all,
    onDone: ({ data: decided }) => {
      if (decided.state !== 'awaiting_approval' && decision === 'approve') {
        const recipients = addressesOf(lines ?? []).size || payout_count;
        followDistribution({ distributionId: id, communityId, orderedAmount: total_amount, recipients });
      }
      onClose();
    },
  });
  const isLast = approvals.given_by.length + 1 >= approvals.needed;
  return (
    <AskDialog
      wide
      title={isApproval ? 'Approve distribution' : 'Decline distribution'}
      text={
        isApproval
          ? `${requested_by} requested it. ${isLast ? 'Once you approve it, the money moves.' : 'It is above the largest payout: one more super admin must approve it after you.'}`
          : `${requested_by} requested it. Nothing is paid, and the shares are pending again.`
      }
      confirm={
        isApproval
          ? `Approve ${usdt(total_amount)} in ${payoutsWord(payout_count)}`
          : `Decline ${usdt(total_amount)}`
      }
      busy={isLate ? 'Still working...' : BUSY[decision]}
      isDanger={!isApproval}
      isBlocked={isReading}
      {...decide}
      onClose={onClose}
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The payouts could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!lines || isReading}
        loading={
          <Loading
            text={
              isReading
                ? 'Reading what was paid to these recipients before. It can be approved then.'
                : 'Reading the payouts...'
            }
          />
        }
        isEmpty={false}
        empty={null}
      >
        {isApproval && paid.isError && (
          <Notice
            tone="caution"
            icon={ShieldAlert}
            title="What was paid before could not be loaded"
            actions={
              <Button className="h-7!" onClick={() => void paid.refetch()}>
                Retry
              </Button>
            }
          >
            Compare each address with an earlier payout before you approve. {messageOf(paid.error)}
          </Notice>
        )}
        {lines &&
          (paid.data ? (
            <CheckedRecipients label="Payouts to decide about" lines={lines} paid={paid.data} />
          ) : (
            <RecipientTable isWhole label="Payouts to decide about" lines={lines} />
          ))}
      </QueryState>
      {decide.isBusy && isLate && (
        <p role="status" className="shrink-0 px-4 py-3 text-muted">
          {STILL_WORKING}
        </p>
      )}
    </AskDialog>
  );
}
