import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import Clock from 'lucide-react/icons/clock';
import { useCallback, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import { PAGE_ROWS } from '../distributions/distributions-panel.tsx';
import { StandstillNotice } from '../distributions/standstill-notice.tsx';

import { type Distribution, distributionsQuery, type PayPlan, payoutsOfQuery } from '../payouts-queries.ts';
import type { ShownLine } from '../recipients/recipient-columns.tsx';
import { RecipientTable } from '../recipients/recipient-table.tsx';
import { progressWords } from './plan-texts.ts';

interface SentStepProps {
  communityId: string;
  plan: PayPlan;
  distribution: Distribution;
  onClose(): void;
}

/** The live progress of payouts. */
export function SentStep({ communityId, plan, distribution, onClose }: SentStepProps) {
  const navigate = useNavigate();
  const { data, error } = useQuery(payoutsOfQuery(communityId, distribution.id));
  const listed = useQuery(distributionsQuery(communityId, 1, PAGE_ROWS)).data?.data.find(
    ({ id }) => id === distribution.id,
  );
  const byId = useMemo(() => new Map<string, string>(data?.map(({ id, status }) => [id, status])), [data]);
  const statusOf = useCallback((id: string) => byId.get(id), [byId]);
  const statuses = plan.payouts.map(({ id }) => byId.get(id ?? '') ?? 'pending');
  const isAwaiting =
    distribution.state === 'awaiting_approval' && statuses.every((status) => status === 'pending');
  const isOver = statuses.every((status) => status === 'distributed' || status === 'failed');
  const open = useCallback(
    ({ id }: ShownLine) =>
      void (id && navigate({ to: '/transaction-history', search: { community: communityId, payout: id } })),
    [navigate, communityId],
  );
  return (
    <>
      <DialogBody>
        {isAwaiting && (
          <Notice tone="caution" icon={Clock} title="Waiting for another super admin">
            <Money amount={plan.total_amount} /> is reserved. Nothing is sent until it is approved.
          </Notice>
        )}
        <StandstillNotice distribution={listed} />
        <div className="flex shrink-0 flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
          <p role="status" className="font-medium tabular-nums">
            {data ? progressWords(statuses) : error ? messageOf(error) : 'Reading the payouts...'}
          </p>
          <p className="text-xs text-muted">
            {isAwaiting || isOver
              ? 'You can close this window.'
              : 'You can close this window. Payouts continue, and a message appears when they are done.'}
          </p>
        </div>
        <RecipientTable label="Payouts" lines={plan.payouts} statusOf={statusOf} onOpen={open} />
      </DialogBody>
      <DialogFoot
        note={
          <Link
            to="/transaction-history"
            search={{ distribution: distribution.id }}
            className="rounded text-accent hover:underline"
          >
            Open Transaction History
          </Link>
        }
      >
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFoot>
    </>
  );
}
