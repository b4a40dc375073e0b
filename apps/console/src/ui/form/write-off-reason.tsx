import { TextField } from './text-field.tsx';

/** Why what is unpaid is given up: required where another super admin has to approve it. */
export function WriteOffReason({
  value,
  onChange,
  error,
}: {
  value?: string;
  onChange?(reason: string): void;
  error?: string | undefined;
}) {
  return (
    <TextField
      label="Reason"
      name="reason"
      autoComplete="off"
      maxLength={200}
      error={error}
      {...(value !== undefined && {
        value,
        onChange: ({ target }: { target: { value: string } }) => onChange?.(target.value),
      })}
      hint="Kept in the audit. Needed above what one person may write off within 24 hours"
    />
  );
}
