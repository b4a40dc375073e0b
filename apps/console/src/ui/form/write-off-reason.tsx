import { TextField } from './text-field.tsx';

/** Why what is unpaid is given up: required where another super admin has to approve it. */
export function WriteOffReason({ error }: { error?: string | undefined }) {
  return (
    <TextField
      label="Reason"
      name="reason"
      autoComplete="off"
      maxLength={200}
      error={error}
      hint="Kept in the audit. Needed above what one person may write off within 24 hours"
    />
  );
}
