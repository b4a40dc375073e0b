import type { Trader } from '@copydesk/contract/traders';
import { ApiError, isChangedMeanwhile } from '../../../../lib/api/api-error.ts';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { useForm } from '../../../../lib/use-form.ts';
import { useSeen } from '../../../../lib/use-seen.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useChangeTrader } from '../use-change-trader.ts';

const FAILED = 'Failed to update reference number. Please try again.';
/** Statuses whose text explains what is wrong with this number, as opposed to a server failure. */
const EXPLAINED = [400, 409];

export function EditKaitDialog({ trader, onClose }: { trader: Trader; onClose(): void }) {
  const change = useChangeTrader(trader.id);
  const { seen, refused } = useSeen({ ...trader, version: trader.version ?? '' }, () => {});
  const save = async ({ reference_number: typed }: { reference_number: string }) => {
    const reference_number = typed.trim() || null;
    if (reference_number === seen.reference_number) return onClose();
    try {
      await change.mutateAsync({ reference_number, version: seen.version });
    } catch (error) {
      refused(error);
      if (isChangedMeanwhile(error)) throw error;
      const isExplained = error instanceof ApiError && EXPLAINED.includes(error.status);
      throw new Error(isExplained ? `${FAILED} ${error.message}.` : FAILED);
    }
    onClose();
  };
  // Any number is valid, and so is none (console spec, section 5).
  const form = useForm<{ reference_number: string }>(['reference_number'], save, () => null);
  return (
    <Dialog
      title="Edit KAIT Number"
      text={`The reference number of ${displayName(trader)}. Leave it empty to remove it.`}
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="space-y-4">
        <FormError message={form.message} />
        <TextField
          label="KAIT number"
          name="reference_number"
          key={seen.version}
          defaultValue={seen.reference_number ?? ''}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          error={form.errors.reference_number}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Saving...' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
