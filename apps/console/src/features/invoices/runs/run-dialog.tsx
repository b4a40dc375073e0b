import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import type { Option } from '../../../lib/list/filters.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { RunResult } from './run-result.tsx';
import { lastRunQuery, type Run } from './runs-queries.ts';

interface RunDialogProps {
  communities: readonly Option[];
  onClose(): void;
}

/** Starts invoicing of closed positions that were not invoiced yet, and follows the run to its end. */
export function RunDialog({ communities, onClose }: RunDialogProps) {
  const [started, setStarted] = useState<Run | null>(null);
  const form = useDialogForm({
    values: { community_id: '' },
    send: ({ community_id }, keyOf) => {
      const body = community_id === '' ? {} : { community_id };
      return call('POST /api/invoices/runs', { body, idempotencyKey: keyOf(body) });
    },
    done: () => null,
    reads: lastRunQuery.queryKey,
    onDone: ({ data }) => setStarted(data),
  });
  const whose = form.values.community_id === '' ? 'all traders' : 'the traders of this community';
  const words = {
    title: 'Run invoicing',
    text: `Closed positions of ${whose} that were not invoiced yet become invoices. Traders are notified on Telegram.`,
    onClose,
  };
  if (started)
    return (
      <Dialog {...words}>
        <RunResult started={started} />
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog form={form} {...words} confirm="Run invoicing" busy="Starting..." leave="Cancel">
      <SelectField
        label="For"
        name="community_id"
        options={[{ value: '', label: 'All traders' }, ...communities]}
      />
    </FormDialog>
  );
}
