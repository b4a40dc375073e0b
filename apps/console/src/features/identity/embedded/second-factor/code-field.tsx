import { TextField } from '../../../../ui/form/text-field.tsx';

/** The six digits of an authenticator app. */
export function CodeField({ isFirst }: { isFirst?: boolean }) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={20}
      data-first-focus={isFirst}
    />
  );
}
