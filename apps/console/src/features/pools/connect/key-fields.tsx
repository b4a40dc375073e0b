import { CREDENTIAL_MAX_LENGTH, CREDENTIALS_REQUIRED } from '@copydesk/domain/trading';
import { TextField } from '../../../ui/form/text-field.tsx';

/** The specification's sentence for a missing key. */
export const KEY_MISSING = { apiKey: CREDENTIALS_REQUIRED, secretKey: CREDENTIALS_REQUIRED };

interface KeyFieldsProps {
  errors: { apiKey?: string | undefined; secretKey?: string | undefined };
}

/** The key of a pool's account. The fields are uncontrolled, so the typed secrets disappear with their dialog. */
export function KeyFields({ errors }: KeyFieldsProps) {
  return (
    <>
      <TextField
        label="API key"
        name="apiKey"
        autoComplete="off"
        spellCheck={false}
        maxLength={CREDENTIAL_MAX_LENGTH}
        error={errors.apiKey}
        data-first-focus
      />
      <TextField
        label="API secret"
        name="secretKey"
        type="password"
        // A password manager would offer to store it, and to fill in another.
        autoComplete="new-password"
        spellCheck={false}
        maxLength={CREDENTIAL_MAX_LENGTH}
        error={errors.secretKey}
        hint="Read-Write, with Account Transfer and trading; restricted to the addresses of our servers. A key without addresses expires after 90 days."
      />
    </>
  );
}
