import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../lib/api/api.ts';
import type { Option } from '../../../lib/list/filters.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { lastRunQuery } from './runs-queries.ts';

interface RunDialogProps {
  communities: readonly Option[];
  onClose(): void;
}

const WAYS = [
  { value: 'draft', label: 'Show me first what it would invoice' },
  { value: 'now', label: 'Invoice and notify at once' },
];

/** Starts invoicing of closed positions that were not invoiced yet, or a draft of it, and shows it on its page. */
export function RunDialog({ communities, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const form = useDialogForm({
    values: { community_id: '', way: 'draft' },
    send: ({ community_id, way }, keyOf) => {
      const body = {
        ...(community_id !== '' && { community_id }),
        ...(way === 'draft' && { draft: true }),
      };
      return call('POST /api/invoices/runs', { body, idempotencyKey: keyOf(body) });
    },
    done: () => null,
    reads: lastRunQuery.queryKey,
    onDone: ({ data }) => navigate({ to: '/invoices/runs/$runId', params: { runId: data.id } }),
  });
  const { community_id: community, way } = form.values;
  const whose = community === '' ? 'all traders' : 'the traders of this community';
  const what =
    way === 'draft'
      ? 'are listed as the invoices they would become. You leave out whom you want, and send the rest.'
      : 'become invoices. Traders are notified on Telegram.';
  return (
    <FormDialog
      form={form}
      title="Run invoicing"
      text={`Closed positions of ${whose} that were not invoiced yet ${what}`}
      confirm={way === 'draft' ? 'Preview' : 'Run invoicing'}
      busy="Starting..."
      leave="Cancel"
      onClose={onClose}
    >
      <SelectField
        label="For"
        name="community_id"
        options={[{ value: '', label: 'All traders' }, ...communities]}
      />
      <SelectField label="How" name="way" options={WAYS} />
    </FormDialog>
  );
}
