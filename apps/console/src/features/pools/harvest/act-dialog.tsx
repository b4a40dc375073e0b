import type { CycleAction } from '@copydesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { type PooledAccount, poolsKeys } from '../pools-queries.ts';
import { ACTS } from './act-words.ts';

interface ActDialogProps {
  pool: PooledAccount;
  action: CycleAction;
  /** For an approval: the read whose valuation is shown. */
  evidenceId?: string | undefined;
  onClose(): void;
  children?: ReactNode;
}

/** Asks for confirmation of an act on a pool's cycle as it is on screen. */
export function ActDialog({ pool, action, evidenceId, onClose, children }: ActDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { label, busy, title, text, done } = ACTS[action];
  const { version } = pool.current_harvest_cycle;
  const act = useMutation({
    mutationFn: () => {
      const body = { action, version, ...(evidenceId && { evidence_id: evidenceId }) };
      const idempotencyKey = once.keyOf({ id: pool.id, ...body });
      return call('POST /api/pooled-accounts/{id}/harvest', {
        params: { id: pool.id },
        body,
        idempotencyKey,
      });
    },
    onSuccess: () => {
      toast({ tone: 'neutral', title: done, text: pool.community.name });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      title={title}
      text={text}
      confirm={label}
      busy={busy}
      isBusy={act.isPending}
      isDanger={action === 'abort' || action === 'close_gate'}
      error={act.error ? messageOf(act.error) : null}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {children}
    </AskDialog>
  );
}
