import { FormError } from './form-error.tsx';
import { TextField } from './text-field.tsx';

interface ReasonFieldProps {
  label: string;
  form: { errors: { reason?: string }; message: string | null };
}

/** The reason for an action, as stored in the audit trail; errors of the form are shown above it. */
export function ReasonField({ label, form }: ReasonFieldProps) {
  return (
    <>
      <FormError message={form.errors.reason ? null : form.message} />
      <TextField
        label={label}
        name="reason"
        hint="It is recorded in the audit trail"
        maxLength={200}
        autoComplete="off"
        autoFocus
        error={form.errors.reason}
      />
    </>
  );
}
