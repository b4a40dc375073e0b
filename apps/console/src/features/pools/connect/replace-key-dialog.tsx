import { call } from '../../../lib/api/api.ts';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { KEY_MISSING, KeyFields } from './key-fields.tsx';

const NAMES = ['apiKey', 'secretKey'] as const;
const EMPTY = { apiKey: '', secretKey: '' };

function findErrors(fields: typeof EMPTY): FieldErrors | null {
  const missing = NAMES.filter((name) => !fields[name].trim());
  return missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, KEY_MISSING[name]])) : null;
}

/** Replaces the key of a pool by another one of the same account. */
export function ReplaceKeyDialog({ pool, onClose }: { pool: PooledAccount; onClose(): void }) {
  const form = useDialogForm({
    values: EMPTY,
    findErrors,
    send: (body) => call('PUT /api/pooled-accounts/{id}/key', { params: { id: pool.id }, body }),
    done: () => ({
      tone: 'neutral',
      title: 'Key replaced',
      text: 'The account is read again within seconds.',
    }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Replace key"
      text="Another key of the same Bybit account. The one in use is deleted here; delete it at Bybit as well."
      confirm="Replace key"
      busy="Checking..."
      leave="Cancel"
      onClose={onClose}
    >
      <KeyFields />
    </FormDialog>
  );
}
