import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';

interface UndoDialogProps {
  pool: PooledAccount;
  arrivalId: string;
  decisionId: string;
  onClose(): void;
}

/** Undoes the decision that an arrival is a withdrawal from the exchange. */
export function UndoDialog({ pool, arrivalId, decisionId, onClose }: UndoDialogProps) {
  const [reason, setReason] = useState('');
  const params = { id: pool.id, arrivalId, decisionId };
  const body = { reason: reason.trim() };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/undo', {
        params,
        body,
        idempotencyKey,
      }),
    done: { title: 'Decision undone', text: 'The arrival is unexplained again.' },
    onClose,
  });
  return (
    <AskDialog
      title="Undo decision"
      text="The arrival no longer counts as returned from Bybit, and the harvest waits until the missing money is explained."
      confirm="Undo decision"
      busy="Undoing..."
      isDanger
      {...act}
    >
      <div className="mt-3">
        <TextField
          label="Reason"
          name="reason"
          hint="It is recorded in the audit trail"
          maxLength={200}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
    </AskDialog>
  );
}
