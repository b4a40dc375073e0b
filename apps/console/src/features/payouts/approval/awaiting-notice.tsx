import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { UnreadDialog } from '../../../ui/form/unread-dialog.tsx';
import { awaitingQuery } from '../payouts-queries.ts';
import { awaitingRunsQuery } from '../runs/runs-queries.ts';
import { Awaiting } from './awaiting.tsx';
import { DecideDialog } from './decide-dialog.tsx';

/**
 * Distributions of any community that wait for a second super admin's decision, or the head of one community's panel.
 * For super admins.
 */
export function AwaitingNotice({ communityId, title }: { communityId?: string; title?: string }) {
  const { data, error, refetch } = useQuery(awaitingQuery(communityId));
  const isBox = communityId === undefined;
  const together = useQuery({ ...awaitingRunsQuery, enabled: isBox });
  const runs = together.data;
  const failed = error ?? together.error;
  const retry = () => {
    void refetch();
    if (isBox) void together.refetch();
  };
  return (
    <Awaiting
      awaiting={data?.data ?? []}
      runs={runs?.data ?? []}
      total={data && data.meta.total + (runs?.meta.total ?? 0)}
      isNamed={isBox}
      isBox={isBox}
      failure={failed ? { message: messageOf(failed), onRetry: retry } : undefined}
      title={title}
    />
  );
}

interface ApproveDistributionProps {
  communityId: string;
  distributionId: string;
  onClose(): void;
}

/** One distribution to approve, read once more: it may have been decided meanwhile. */
export function ApproveDistribution({ communityId, distributionId, onClose }: ApproveDistributionProps) {
  const { data, error, isFetchedAfterMount } = useQuery(awaitingQuery(communityId));
  const distribution = isFetchedAfterMount ? data?.data.find(({ id }) => id === distributionId) : undefined;
  if (distribution) return <DecideDialog distribution={distribution} decision="approve" onClose={onClose} />;
  const isGone = data !== undefined && isFetchedAfterMount;
  return (
    <UnreadDialog
      title="Approve distribution"
      confirm="Approve"
      busy="Approving..."
      gone={isGone ? 'It waits no longer: it was decided meanwhile.' : null}
      error={error ? messageOf(error) : null}
      onClose={onClose}
    />
  );
}
