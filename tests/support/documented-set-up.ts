import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(project(path), 'utf8');
const DOCUMENT = 'docs/operations/set-up.md';

export const PROJECT_DIR = project('');

/** The commands of docs/operations/set-up.md that a machine can play, in order, for these folders. */
export function documentedCommands(folders: Folders): string[] {
  const blocks = [...read(DOCUMENT).matchAll(/^```sh played\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, commands = '']) => inFolders(commands, folders));
}

/**
 * An environment file of docs/operations/set-up.md with values of the test.
 * @throws Error when the document names a variable that has no value here: the document is what is tested
 */
export function documentedSettings(name: string, values: Record<string, string>): string {
  const [, text = ''] =
    new RegExp(`^\`\`\`env ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read(DOCUMENT)) ?? [];
  const names = [...text.matchAll(/^(\w+)=/gm)].map(([, variable = '']) => variable);
  const missing = names.filter((variable) => values[variable] === undefined);
  if (names.length === 0 || missing.length > 0)
    throw new Error(`${name}: no value for ${missing.join(', ')}`);
  return Object.entries(values)
    .map(([variable, value]) => `${variable}=${asWritten(text, variable, value)}\n`)
    .join('');
}

/** Quoted as the document quotes the variable: the shell and systemd read what is written there. */
const asWritten = (text: string, variable: string, value: string) =>
  new RegExp(`^${variable}="`, 'm').test(text) ? `"${value}"` : value;

/** Where the document's folders are in a test. */
export interface Folders {
  /** For /etc/copydesk. */
  etc: string;
  /** For /var/lib. */
  data: string;
}

const inFolders = (text: string, { etc, data }: Folders) =>
  text
    .replaceAll('/etc/copydesk', etc)
    .replaceAll('/var/lib/', `${data}/`)
    .replaceAll('/opt/copydesk/', PROJECT_DIR);

/** With a minus before its name, a file may be missing. */
function readEnvironment(file: string): string[] {
  const path = file.replace(/^-/, '');
  return path !== file && !existsSync(path) ? [] : readFileSync(path, 'utf8').split('\n');
}

/** What systemd starts for an instance of one of our units. */
export function unitOf(name: 'copydesk-api@' | 'copydesk-worker@', instance: string, folders: Folders) {
  const text = inFolders(read(`deploy/systemd/${name}.service`), folders).replaceAll('%i', instance);
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const assignments = [
    ...values('EnvironmentFile').flatMap((file) => readEnvironment(file)),
    ...values('Environment').flatMap((line) => line.split(' ')),
  ].filter((line) => /^\w+=/.test(line));
  const [command = '', ...args] = (values('ExecStart')[0] ?? '').split(' ');
  const env = Object.fromEntries(
    assignments.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^"(.*)"$/, '$1'),
    ]),
  );
  const [user = ''] = values('User');
  return { command, args, env, user, stateFolder: `${folders.data}/${values('StateDirectory')[0]}` };
}
