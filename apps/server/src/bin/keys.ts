import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { writeSecretFile } from '../platform/crypto/secret-file.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';
import { createKeys, type KeyFiles, type WalletSecrets, walletSecretsOf } from '../wiring/create-keys.ts';

const USAGE = `Usage: bin/copydesk keys --out <folder>
  Makes every secret of a new installation and writes them into environment files, which it never overwrites. The
  words of the wallets are shown once, for paper.

       bin/copydesk keys --out <folder> --from-words < words.txt
  Makes the wallets' secrets again from their words.`;

const FILES = [
  ['keys.env', 'shared', 'for API and worker'],
  ['api.keys.env', 'api', 'for the API'],
  ['worker.keys.env', 'worker', 'for the worker: it can spend all funds'],
] as const;

/** What each secret protects, for the person who decides where its backup goes. */
const LOSSES = `Back up the files, apart from the database and its backups. Without a secret:
  AUDIT_KEY              API and worker do not start: the audit cannot be checked or continued
  AUDIT_WORKER_KEY       workers do not start, and their audit entries cannot be told from an API's
  BETTER_AUTH_SECRET     the API does not start: second factors cannot be read
  CREDENTIALS_KEY        no stored key of an exchange or a bot can be read; traders connect theirs again
  CREDENTIALS_INDEX_KEY  a key that is connected twice is not found
  DEPOSIT_ACCOUNT_KEY    traders get no deposit addresses; the words give it again
  WALLET_SEED            nothing is paid out; the words give it again
Without the words and WALLET_SEED, all funds of the wallets are lost. Whoever has either can spend them.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, 'from-words': { type: 'boolean', default: false } },
  });
  if (!values.out) throw new StartError(USAGE);
  const folder = resolve(values.out);
  const isNew = !values['from-words'];
  const keys = isNew ? await createKeys() : await walletSecretsOf(await text(process.stdin));
  const written = await writeFiles(folder, keys.files);
  console.log(`Written, readable by you alone:\n${written.join('\n')}\n`);
  if (isNew) console.log(`${wordsForPaper(keys)}\n`);
  console.log(`Gas wallet: ${keys.gasAddress}\nIt pays for every transaction: send BNB to it.\n\n${LOSSES}`);
});

async function writeFiles(folder: string, files: Partial<KeyFiles>): Promise<string[]> {
  const wanted = FILES.flatMap(([name, part, reader]) => {
    const variables = Object.entries(files[part] ?? {});
    return variables.length > 0 ? [{ path: join(folder, name), variables, reader }] : [];
  });
  for (const { path } of wanted)
    if (existsSync(path))
      throw new StartError(`${path} exists, and its secrets may be in use. Choose another folder.`);
  for (const { path, variables } of wanted)
    await writeSecretFile(path, variables.map(([name, value]) => `${name}=${value}`).join('\n'));
  return wanted.map(({ path, reader }) => `  ${path}  ${reader}`);
}

function wordsForPaper({ words }: Pick<WalletSecrets, 'words'>): string {
  const numbered = words.split(' ').map((word, i) => `${String(i + 1).padStart(4)} ${word.padEnd(10)}`);
  const rows = Array.from({ length: 6 }, (_, row) =>
    numbered
      .slice(row * 4, row * 4 + 4)
      .join('')
      .trimEnd(),
  );
  return `The words of the wallets. Write them on paper now: they are stored nowhere and not shown again.\n${rows.join('\n')}`;
}
