import type { Trader } from '@copydesk/contract/traders';
import { ApiError, isChangedMeanwhile } from '../../../../lib/api/api-error.ts';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../../ui/form/use-dialog-form.ts';
import { useChangeTrader } from '../use-change-trader.ts';

const FAILED = 'Failed to update reference number. Please try again.';
/** Statuses whose text explains what is wrong with this number, as opposed to a server failure. */
const EXPLAINED = [400, 409];

/** The spec's sentence, whatever the server says about the field. */
function failureOf(error: unknown): unknown {
  if (isChangedMeanwhile(error)) return error;
  const isExplained = error instanceof ApiError && EXPLAINED.includes(error.status);
  return new Error(isExplained ? `${FAILED} ${error.message}.` : FAILED);
}

export function EditKaitDialog({ trader, onClose }: { trader: Trader; onClose(): void }) {
  const { change, changed, reads } = useChangeTrader(trader.id);
  const form = useEditForm({
    record: { ...trader, version: trader.version ?? '' },
    valuesOf: ({ reference_number }) => ({ reference_number: reference_number ?? '' }),
    // Any number is valid, and so is none (console spec, section 5).
    changesOf: ({ reference_number: typed }, seen) => {
      const reference_number = typed.trim() || null;
      return reference_number === seen.reference_number ? {} : { reference_number };
    },
    send: (body) =>
      change(body).catch((error: unknown) => {
        throw failureOf(error);
      }),
    done: () => null,
    reads,
    onDone: (answer) => {
      changed(answer);
      onClose();
    },
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Edit KAIT Number"
      text={`The reference number of ${displayName(trader)}. Leave it empty to remove it.`}
      confirm="Save"
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <TextField
        label="KAIT number"
        name="reference_number"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
    </FormDialog>
  );
}
