import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { type FieldErrors, useForm } from '../../../lib/use-form.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { type PooledAccount, poolsKeys } from '../pools-queries.ts';
import { KEY_MISSING, KeyFields } from './key-fields.tsx';

const NAMES = ['apiKey', 'secretKey'] as const;
type Fields = Record<(typeof NAMES)[number], string>;

function findErrors(fields: Fields): FieldErrors | null {
  const missing = NAMES.filter((name) => !fields[name].trim());
  return missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, KEY_MISSING[name]])) : null;
}

/** Replaces the key of a pool by another one of the same account. */
export function ReplaceKeyDialog({ pool, onClose }: { pool: PooledAccount; onClose(): void }) {
  const client = useQueryClient();
  const form = useForm<Fields>(
    NAMES,
    async (body) => {
      await call('PUT /api/pooled-accounts/{id}/key', { params: { id: pool.id }, body });
      toast({ tone: 'neutral', title: 'Key replaced', text: 'The account is read again within seconds.' });
      void client.invalidateQueries({ queryKey: poolsKeys.all });
      onClose();
    },
    findErrors,
  );
  return (
    <Dialog
      title="Replace key"
      text="Another key of the same Bybit account. The one in use is deleted here; delete it at Bybit as well."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} autoComplete="off" className="space-y-3.5">
        <FormError message={form.message} />
        <KeyFields errors={form.errors} />
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Checking...' : 'Replace key'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
