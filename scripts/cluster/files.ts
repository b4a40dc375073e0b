import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATES = fileURLToPath(new URL('../../deploy/cluster/', import.meta.url));

/** Three, no more and no fewer: two of them are a majority, and one may be lost. */
export const MACHINES = ['db1', 'db2', 'db3'] as const;
export type Machine = (typeof MACHINES)[number];

/** The machine that keeps the archive of the log and the backups, and runs nothing else. */
export const REPOSITORY = 'backup';
export type AnyMachine = Machine | typeof REPOSITORY;
export const ALL_MACHINES: readonly AnyMachine[] = [...MACHINES, REPOSITORY];

const PASSWORDS = [
  'superuser_password',
  'replication_password',
  'rewind_password',
  'rest_password',
  'login_password',
  'worker_password',
  'operator_password',
  'owner_password',
  'backup_password',
  'inbox_passphrase',
  'vault_passphrase',
] as const;
export type Passwords = Record<(typeof PASSWORDS)[number], string>;

/** What is the same on all machines. */
export interface Cluster {
  addresses: Record<AnyMachine, string>;
  /** The name under which the console is reached. */
  host: string;
  passwords: Passwords;
}

/** Where a machine has its files. */
export interface Place {
  etc: string;
  data: string;
}

/** The passwords of a cluster, each made once and kept in this file. */
export function readPasswords(file: string): Passwords {
  const known: Partial<Passwords> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  // Letters and digits: they stand in addresses and in four kinds of files.
  const made = Object.fromEntries(PASSWORDS.map((name) => [name, randomBytes(24).toString('hex')]));
  const passwords = { ...made, ...known } as Passwords;
  if (PASSWORDS.some((name) => !known[name]))
    writeFileSync(file, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 });
  return passwords;
}

/**
 * The files of one machine, by their names.
 * @throws Error where a file names a value that there is not
 */
export function renderFiles(
  machine: AnyMachine,
  { addresses, host, passwords }: Cluster,
  placeOf: (machine: AnyMachine) => Place,
): Record<string, string> {
  const values: Record<string, string> = {
    name: machine,
    address: addresses[machine],
    repository: addresses[REPOSITORY],
    host,
    ...placeOf(machine),
    ...passwords,
    ...Object.fromEntries(
      MACHINES.flatMap((each, at) => [
        [`name_${at + 1}`, each],
        [`address_${at + 1}`, addresses[each]],
        [`data_${at + 1}`, placeOf(each).data],
      ]),
    ),
  };
  const folder = machine === REPOSITORY ? join(TEMPLATES, 'repository') : TEMPLATES;
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, fill(readFileSync(join(folder, name), 'utf8'), values)]),
  );
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/<(\w+)>/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`<${name}> has no value`);
    return value;
  });
}

/** Writes the files of one machine: they hold passwords, so its owner alone reads them. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    // A file of before keeps its mode.
    chmodSync(path, 0o600);
  }
}
