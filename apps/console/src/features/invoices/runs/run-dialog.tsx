import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import type { FilterOption } from '../../../ui/form/filters/filter-option.ts';
import { FormError } from '../../../ui/form/form-error.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { RunResult } from './run-result.tsx';
import { lastRunQuery } from './runs-queries.ts';

interface RunDialogProps {
  communities: readonly FilterOption[];
  onClose(): void;
}

/** Starts invoicing of closed positions that were not invoiced yet, and follows the run to its end. */
export function RunDialog({ communities, onClose }: RunDialogProps) {
  const client = useQueryClient();
  const [community, setCommunity] = useState('');
  const once = useOnceKey();
  const start = useMutation({
    mutationFn: () => {
      const body = community === '' ? {} : { community_id: community };
      return call('POST /api/invoices/runs', { body, idempotencyKey: once.keyOf(body) });
    },
    onError: once.failed,
    onSuccess: () => void client.invalidateQueries(lastRunQuery),
  });
  const started = start.data?.data;
  const whose = community === '' ? 'all traders' : 'the traders of this community';
  return (
    <Dialog
      title="Run invoicing"
      text={`Closed positions of ${whose} that were not invoiced yet become invoices. Traders are notified on Telegram.`}
      onClose={onClose}
    >
      {started ? (
        <RunResult started={started} />
      ) : (
        <SelectField
          label="For"
          options={[{ value: '', label: 'All traders' }, ...communities]}
          value={community}
          onChange={(event) => setCommunity(event.target.value)}
        />
      )}
      <div className="mt-3 empty:hidden">
        <FormError message={start.error ? messageOf(start.error) : null} />
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{started ? 'Close' : 'Cancel'}</Button>
        {!started && (
          <Button
            look="primary"
            aria-disabled={start.isPending}
            onClick={() => !start.isPending && start.mutate()}
          >
            {start.isPending ? 'Starting...' : 'Run invoicing'}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
