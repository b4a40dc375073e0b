import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import type { PooledAccount, PoolRequest } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { WAITS_FOR_OTHER } from './request-texts.ts';

const WORDS = {
  deposit: {
    title: 'Return deposit',
    text: "It is sent to the trader's payout address instead of joining the pool.",
    confirm: 'Return deposit',
    busy: 'Returning...',
    done: 'Return ordered',
  },
  withdrawal: {
    title: 'Cancel withdrawal',
    text: 'Nothing is paid, and the virtual balance stays as it is.',
    confirm: 'Cancel withdrawal',
    busy: 'Cancelling...',
    done: 'Withdrawal cancelled',
  },
} as const;

interface EndRequestDialogProps {
  pool: PooledAccount;
  request: PoolRequest;
  onClose(): void;
}

/** Asks for confirmation before a deposit is returned or a withdrawal is cancelled. */
export function EndRequestDialog({ pool, request, onClose }: EndRequestDialogProps) {
  const { id, kind } = request;
  const { done, ...words } = WORDS[kind];
  const act = usePoolAct({
    request: { id, kind },
    send: (idempotencyKey) => end(pool.id, request, idempotencyKey),
    done: ({ data }) => ({
      title: done,
      ...('state' in data && data.state === 'awaiting_approval' && { text: WAITS_FOR_OTHER }),
    }),
    onClose,
  });
  return <AskDialog {...words} isDanger {...act} />;
}

const end = (poolId: string, { id, kind }: PoolRequest, idempotencyKey: string) =>
  kind === 'deposit'
    ? call('POST /api/pooled-accounts/{id}/deposits/{depositId}/return', {
        params: { id: poolId, depositId: id },
        idempotencyKey,
      })
    : call('POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel', {
        params: { id: poolId, withdrawalId: id },
        idempotencyKey,
      });
