import { CREDENTIAL_NAMES, CREDENTIALS } from '@copydesk/domain';
import type { FieldErrors } from '../../../../lib/use-form.ts';

const FIELDS = CREDENTIAL_NAMES.map((name) => CREDENTIALS[name]);
type ConnectField = (typeof FIELDS)[number];

/** The fields that an exchange needs, in the server's order. */
export function connectFields(names: readonly string[]): ConnectField[] {
  return names.flatMap((name) => FIELDS.find(({ wire }) => wire === name) ?? []);
}

/** Every field is required; only the exchange knows the format of a credential. */
export function findMissing(fields: Readonly<Record<string, string>>): FieldErrors | null {
  const missing = Object.keys(fields).filter((name) => fields[name]?.trim() === '');
  return missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, 'Required'])) : null;
}
