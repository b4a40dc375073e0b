import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount } from '../pools-queries.ts';

interface UndoDialogProps {
  pool: PooledAccount;
  arrivalId: string;
  decisionId: string;
  onClose(): void;
}

/** Undoes the decision that an arrival is a withdrawal from the exchange. */
export function UndoDialog({ pool, arrivalId, decisionId, onClose }: UndoDialogProps) {
  const form = useDialogForm({
    values: { reason: '' },
    send: ({ reason }, keyOf) => {
      const params = { id: pool.id, arrivalId, decisionId };
      const body = { reason: reason.trim() };
      return call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/undo', {
        params,
        body,
        idempotencyKey: keyOf({ ...params, ...body }),
      });
    },
    done: () => ({ tone: 'neutral', title: 'Decision undone', text: 'The arrival is unexplained again.' }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Undo decision"
      text="The arrival no longer counts as returned from Bybit, and the harvest waits until the missing money is explained."
      confirm="Undo decision"
      busy="Undoing..."
      isDanger
      onClose={onClose}
    >
      <TextField
        label="Reason"
        name="reason"
        hint="It is recorded in the audit trail"
        maxLength={200}
        autoComplete="off"
      />
    </FormDialog>
  );
}
