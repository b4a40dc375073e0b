import { call } from '../../../lib/api/api.ts';
import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { memberName } from '../pool/pool-texts.ts';
import type { PooledAccount, PoolRequest } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { WAITS_FOR_OTHER } from './request-texts.ts';

interface ConfirmRequestsDialogProps {
  pool: PooledAccount;
  requests: readonly PoolRequest[];
  onClose(): void;
}

/** Orders withdrawals that programs asked for, or that have changed since they were ordered, as one. */
export function ConfirmRequestsDialog({ pool, requests, onClose }: ConfirmRequestsDialogProps) {
  const params = { id: pool.id };
  const body = { withdrawal_ids: requests.map(({ id }) => id) };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/withdrawals/confirm', { params, body, idempotencyKey }),
    done: ({ data }) => ({
      title: 'Withdrawals ordered',
      text: data.state === 'awaiting_approval' ? WAITS_FOR_OTHER : 'They are paid while the pool is open.',
    }),
    onClose,
  });
  return (
    <AskDialog
      title="Order withdrawals"
      text="A program asked for these, or they have changed since they were ordered. They become one order of yours."
      confirm="Order"
      busy="Ordering..."
      {...act}
    >
      <ul className="mt-3 max-h-56 space-y-1.5 overflow-y-auto rounded-md border border-line p-2.5 text-xs">
        {requests.map(({ id, trader, amount }) => (
          <li key={id} className="flex justify-between gap-3">
            <bdi className="min-w-0 break-words">
              <Name plain="A dialog is not left by a link">{memberName(trader)}</Name>
            </bdi>
            <span className="shrink-0 tabular-nums">
              {amount === null ? 'Everything' : <Money amount={amount} />}
            </span>
          </li>
        ))}
      </ul>
    </AskDialog>
  );
}
