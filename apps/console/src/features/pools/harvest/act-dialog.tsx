import type { CycleAction } from '@copydesk/contract/pools';
import type { ReactNode } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { ACTS } from './act-texts.ts';
import { useOpenedCycle } from './use-opened-cycle.ts';

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
  const { label, busy, title, text, done } = ACTS[action];
  const params = { id: pool.id };
  const { version } = useOpenedCycle(pool);
  const body = { action, version, ...(evidenceId && { evidence_id: evidenceId }) };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/harvest', { params, body, idempotencyKey }),
    done: { title: done, text: pool.community.name },
    onClose,
  });
  return (
    <AskDialog
      title={title}
      text={text}
      confirm={label}
      busy={busy}
      isDanger={action === 'abort' || action === 'close_gate'}
      {...act}
    >
      {children}
    </AskDialog>
  );
}
