import { CREDENTIAL_NAMES, CREDENTIALS, CREDENTIALS_REQUIRED } from '@copydesk/domain';
import type { FieldErrors } from '../../../../lib/use-form.ts';

const FIELDS = CREDENTIAL_NAMES.map((name) => CREDENTIALS[name]);
type ConnectField = (typeof FIELDS)[number];

/** The fields that an exchange needs, in the server's order. */
export function connectFields(names: readonly string[]): ConnectField[] {
  return names.flatMap((name) => FIELDS.find(({ wire }) => wire === name) ?? []);
}

/** The credentials that the specification's sentence names. */
const SENTENCE_OF: ReadonlySet<string> = new Set(
  FIELDS.map(({ wire }) => wire).filter((wire) => CREDENTIALS_REQUIRED.includes(wire)),
);

/** Every field is required; only the exchange knows the format of a credential. */
export function findMissing(fields: Readonly<Record<string, string>>): FieldErrors | null {
  const missing = Object.keys(fields).filter((name) => fields[name]?.trim() === '');
  return missing.length > 0
    ? Object.fromEntries(
        missing.map((name) => [name, SENTENCE_OF.has(name) ? CREDENTIALS_REQUIRED : 'Required']),
      )
    : null;
}
