import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { type PooledAccount, type PoolRequest, poolsKeys } from '../pools-queries.ts';

const WORDS = {
  deposit: {
    title: 'Return Deposit',
    text: "It is sent to the trader's payout address instead of joining the pool.",
    confirm: 'Return Deposit',
    busy: 'Returning...',
    done: 'Return ordered',
  },
  withdrawal: {
    title: 'Cancel Withdrawal',
    text: 'Nothing is paid, and the virtual balance stays as it is.',
    confirm: 'Cancel Withdrawal',
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
  const client = useQueryClient();
  const once = useOnceKey();
  const { done, ...words } = WORDS[request.kind];
  const end = useMutation({
    mutationFn: () => {
      const idempotencyKey = once.keyOf({ id: request.id, kind: request.kind });
      return request.kind === 'deposit'
        ? call('POST /api/pooled-accounts/{id}/deposits/{depositId}/return', {
            params: { id: pool.id, depositId: request.id },
            idempotencyKey,
          })
        : call('POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel', {
            params: { id: pool.id, withdrawalId: request.id },
            idempotencyKey,
          });
    },
    onSuccess: () => {
      toast({ tone: 'neutral', title: done });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      {...words}
      isBusy={end.isPending}
      isDanger
      error={end.error ? messageOf(end.error) : null}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}
