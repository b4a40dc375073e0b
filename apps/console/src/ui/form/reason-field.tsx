import { TextField } from './text-field.tsx';

/** The reason for an action, as stored in the audit trail. */
export function ReasonField({ label }: { label: string }) {
  return (
    <TextField
      label={label}
      name="reason"
      hint="It is recorded in the audit trail"
      maxLength={200}
      autoComplete="off"
      autoFocus
    />
  );
}
