import { TextField } from './text-field.tsx';

interface ReasonFieldProps {
  label?: string;
  hint?: string;
  error?: string | undefined;
  /** One that may be left empty does not take the focus. */
  isOptional?: boolean;
}

/** The reason for an act, as stored in the audit trail. */
export function ReasonField({
  label = 'Reason',
  hint = 'It is recorded in the audit trail',
  error,
  isOptional = false,
}: ReasonFieldProps) {
  return (
    <TextField
      label={label}
      name="reason"
      hint={hint}
      error={error}
      maxLength={200}
      autoComplete="off"
      autoFocus={!isOptional}
    />
  );
}
