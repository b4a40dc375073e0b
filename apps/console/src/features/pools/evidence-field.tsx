import { TextField } from '../../ui/form/text-field.tsx';

/** The evidence for a decision about money. */
export function EvidenceField() {
  return (
    <TextField
      label="Evidence"
      name="evidence"
      hint="What you checked, and where. It is recorded in the audit trail"
      maxLength={200}
      autoComplete="off"
    />
  );
}
