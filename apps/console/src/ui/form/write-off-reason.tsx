import { TextField } from './text-field.tsx';

interface WriteOffReasonProps {
  value: string;
  onChange(reason: string): void;
  error?: string | undefined;
}

/** Why what is unpaid is given up: required where another super admin has to approve it. */
export function WriteOffReason({ value, onChange, error }: WriteOffReasonProps) {
  return (
    <TextField
      className="mt-3"
      label="Reason"
      name="reason"
      autoComplete="off"
      maxLength={200}
      value={value}
      error={error}
      hint="Kept in the audit. Needed above what one person may write off within 24 hours"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
