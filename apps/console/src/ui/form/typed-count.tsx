import { formatCount } from '../../lib/format/numbers.ts';
import type { FieldErrors } from './form-context.ts';
import { TextField } from './text-field.tsx';

/** What is wrong with a typed number; `wanted` null: none is typed. */
export const findCountError = (count: string, wanted: number | null): FieldErrors | null =>
  wanted !== null && count.replace(/\D/g, '') !== `${wanted}` ? { count: `Type ${wanted} to confirm` } : null;

/** The field in which the number of a large act is typed, so that its size is read. */
export function TypedCount({ wanted, of }: { wanted: number; of: string }) {
  return (
    <TextField
      name="count"
      label={`Type the number of ${of}, ${formatCount(wanted)}, to confirm`}
      inputMode="numeric"
      className="max-w-80"
    />
  );
}
