import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { untilAnswered } from '../../../lib/api/until-answered.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { UnreadDialog } from '../../../ui/form/unread-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { BUSY, type Decision } from '../approval/decide-dialog.tsx';
import { followRun } from '../follow/followed-distributions.ts';
import { payoutsWord, STILL_WORKING } from '../payout-texts.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import { RunLines } from './run-lines.tsx';
import { communitiesWord } from './run-texts.ts';
import { type RunDetail, runLinesQuery, runQuery } from './runs-queries.ts';

interface DecideRunProps {
  runId: string;
  decision: Decision;
  onClose(): void;
}

const TITLES: Record<Decision, string> = {
  approve: 'Approve distributions',
  decline: 'Decline distributions',
};

/** A payout run to approve or decline as a whole, read once more: it may have been decided meanwhile. */
export function DecideRun({ runId, decision, onClose }: DecideRunProps) {
  const { data, error, isFetchedAfterMount } = useQuery(runQuery(runId));
  // Keeps the run as it was when asked about: the reader's own decision must not change the question.
  const [asked, setAsked] = useState<RunDetail | null>(null);
  const read = isFetchedAfterMount ? data : undefined;
  const shown = asked ?? (read?.run.state === 'awaiting_approval' ? read : null);
  if (shown)
    return (
      <DecideRunDialog detail={shown} decision={decision} onAsk={() => setAsked(shown)} onClose={onClose} />
    );
  return (
    <UnreadDialog
      title={TITLES[decision]}
      confirm={decision === 'approve' ? 'Approve' : 'Decline'}
      busy={BUSY[decision]}
      gone={read ? 'It waits no longer: it was decided meanwhile.' : null}
      error={error ? messageOf(error) : null}
      onClose={onClose}
    />
  );
}

interface DecideRunDialogProps extends Omit<DecideRunProps, 'runId'> {
  detail: RunDetail;
  onAsk(): void;
}

function DecideRunDialog({ detail: { run, distributions }, decision, onAsk, onClose }: DecideRunDialogProps) {
  const { id, total_amount, payout_count, community_count, requested_by } = run;
  const { data: paid, error, refetch } = useQuery(runLinesQuery(id));
  const [isLate, setLate] = useState(false);
  const what = `${usdt(total_amount)} in ${payoutsWord(payout_count)} of ${communitiesWord(community_count)}`;
  const isApproval = decision === 'approve';
  const seen = paid?.seen ?? '';
  const decide = useAct({
    send: (keyOf) => {
      const params = { id };
      const idempotencyKey = keyOf({ id, decision, seen });
      onAsk();
      setLate(false);
      return untilAnswered(
        () =>
          isApproval
            ? call('POST /api/super-admin/payout-runs/{id}/approve', {
                params,
                body: { seen },
                idempotencyKey,
              })
            : call('POST /api/super-admin/payout-runs/{id}/decline', { params, idempotencyKey }),
        { onLate: () => setLate(true) },
      );
    },
    done: () =>
      isApproval
        ? { tone: 'neutral', title: 'Distributions approved', text: `${what}. Not sent yet.` }
        : { tone: 'neutral', title: 'Distributions declined', text: `${what} is pending again` },
    reads: payoutsKeys.all,
    onDone: () => {
      if (isApproval) followRun(id);
      onClose();
    },
  });
  return (
    <AskDialog
      wide
      title={TITLES[decision]}
      text={
        isApproval
          ? `${requested_by} requested them as one. Once you approve, the money moves, and each community goes on alone.`
          : `${requested_by} requested them as one. Nothing is paid, and all shares are pending again.`
      }
      confirm={isApproval ? `Approve ${what}` : `Decline ${usdt(total_amount)}`}
      busy={isLate ? 'Still working...' : BUSY[decision]}
      isDanger={!isApproval}
      isBlocked={isApproval && !paid}
      {...decide}
      onClose={onClose}
    >
      <QueryState
        small
        error={
          error && !paid ? { title: 'The payouts could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!paid}
        loading={<Loading text="Reading the payouts..." />}
        isEmpty={false}
        empty={null}
      >
        {paid && (
          <RunLines
            label="Payouts to decide about"
            lines={paid.lines}
            communities={distributions.map(({ community }) => community)}
            paid={isApproval ? paid.recipients : null}
          />
        )}
      </QueryState>
      {decide.isBusy && isLate && (
        <p role="status" className="shrink-0 px-4 py-3 text-muted">
          {STILL_WORKING}
        </p>
      )}
    </AskDialog>
  );
}
