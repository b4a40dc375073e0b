import type { CallInput } from '@copydesk/contract';
import type { FieldErrors } from '../../../../lib/use-form.ts';

type Body = CallInput<'POST /api/traders/{id}/exchange'>['body'];
type FieldName = Exclude<keyof Body, 'exchange' | 'provider_id'>;

interface ConnectField {
  name: FieldName;
  label: string;
  isSecret: boolean;
}

const FIELDS: readonly ConnectField[] = [
  { name: 'apiKey', label: 'API Key', isSecret: false },
  { name: 'secretKey', label: 'Secret Key', isSecret: true },
  { name: 'passphrase', label: 'Passphrase', isSecret: true },
  { name: 'master_address', label: 'Master Address', isSecret: false },
  { name: 'agent_address', label: 'Agent Address', isSecret: false },
  { name: 'agent_private_key', label: 'Agent Private Key', isSecret: true },
];

/** The fields that an exchange needs, in the server's order. */
export function connectFields(names: readonly string[]): ConnectField[] {
  return names.flatMap((name) => FIELDS.find((field) => field.name === name) ?? []);
}

/** Every field is required; only the exchange knows the format of a credential. */
export function findMissing(fields: Readonly<Record<string, string>>): FieldErrors | null {
  const missing = Object.keys(fields).filter((name) => fields[name]?.trim() === '');
  return missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, 'Required'])) : null;
}
