import { useQuery } from '@tanstack/react-query';
import OctagonX from 'lucide-react/icons/octagon-x';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ChangeLog } from '../../../ui/feedback/change-log.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { stopsQuery } from './stop-query.ts';

const STEP = 10;

/** Every stop of all payments: who stopped them and why, and who lifted it. For super admins. */
export function StopsHistory() {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(stopsQuery(limit));
  const page = data && {
    data: data.data.map((stop) => ({
      ...stop,
      at: stop.stopped_at,
      actor_name: stop.stopped_by,
      actor_kind: stop.origin === 'console' ? 'user' : 'system',
    })),
    meta: data.meta,
  };
  return (
    <ChangeLog
      title="Stops of payments"
      label="Stops of payments, newest first"
      icon={OctagonX}
      page={page}
      error={error && !data ? { title: 'The stops could not be loaded', message: messageOf(error) } : null}
      loading="Loading stops..."
      empty="Payments have never been stopped."
      isMoreLoading={isPlaceholderData}
      onMore={() => setLimit(limit + STEP)}
      onRetry={() => void refetch()}
    >
      {({ reason, lifted_at, lifted_by, lift_requested_by, lift_reason }) => (
        <>
          <p className="break-words">
            <span className="font-medium">Stopped:</span> {reason}{' '}
            {lifted_at === null && <Badge tone="negative">Payments are stopped</Badge>}
          </p>
          {lifted_at !== null && (
            <p className="break-words text-muted">
              Lifted <When at={lifted_at} />
              {lift_requested_by
                ? `, asked for by ${lift_requested_by}, confirmed by ${lifted_by ?? 'a worker'}`
                : lifted_by && ` by ${lifted_by}`}
              {lift_reason && `: ${lift_reason}`}
            </p>
          )}
        </>
      )}
    </ChangeLog>
  );
}
