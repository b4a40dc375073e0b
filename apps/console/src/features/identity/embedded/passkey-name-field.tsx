import { TextField } from '../../../ui/form/text-field.tsx';

interface PasskeyNameFieldProps {
  name?: string;
  error: string | undefined;
}

/** The name under which a person finds a passkey again. */
export function PasskeyNameField({ name, error }: PasskeyNameFieldProps) {
  return (
    <TextField
      label="Name"
      name="passkeyName"
      hint="Name the device or the password manager that holds it."
      placeholder="Work laptop"
      defaultValue={name}
      maxLength={60}
      autoComplete="off"
      data-first-focus
      error={error}
    />
  );
}
