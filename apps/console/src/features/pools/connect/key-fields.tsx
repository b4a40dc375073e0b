import { CREDENTIAL_MAX_LENGTH, CREDENTIALS_REQUIRED } from '@copydesk/domain/trading';
import { TextField } from '../../../ui/form/text-field.tsx';

/** The specification's sentence for a missing key. */
export const KEY_MISSING = { apiKey: CREDENTIALS_REQUIRED, secretKey: CREDENTIALS_REQUIRED };

/** The key of a pool's account. The typed secrets are in the form alone, and disappear with its dialog. */
export function KeyFields() {
  return (
    <>
      <TextField
        label="API key"
        name="apiKey"
        autoComplete="off"
        spellCheck={false}
        maxLength={CREDENTIAL_MAX_LENGTH}
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
        hint="Read-Write, with Account Transfer and trading; restricted to the addresses of our servers. A key without addresses expires after 90 days."
      />
    </>
  );
}
