import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { proposeLimits } from '@copydesk/domain/setup';
import { createAgeKeyPair } from '../platform/backup/age.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';
import { writeSecretFile } from '../platform/secrets/secret-file.ts';
import { createKeys, type KeyFiles, type WalletSecrets, walletSecretsOf } from '../wiring/create-keys.ts';

const USAGE = `Usage: bin/copydesk keys --out <folder>
  Makes every secret of a new installation and writes them into environment files, which it never overwrites. The
  words of the wallets are shown once, for paper.

       bin/copydesk keys --out <folder> --from-words < words.txt
  Makes the wallets' secrets again from their words.

       bin/copydesk keys --backup --out <folder>
  Makes the pair of keys of encrypted backups. Run it where a restore would be run, not where backups are made.

       bin/copydesk keys --limits <USDT>
  Proposes the limits of payouts, for settings.env, from the payouts that are expected in a day.`;

const FILES = [
  ['keys.env', 'shared', 'for API and worker'],
  ['api.keys.env', 'api', 'for the API'],
  ['worker.keys.env', 'worker', 'for the worker: it can spend all funds'],
] as const;

const BACKUP_IDENTITY = 'backup-identity.txt';

/** What each secret protects, for the person who decides where its backup goes. */
const LOSSES = `Back up the files, apart from the database and its backups. Without a secret:
  AUDIT_KEY              API and worker do not start: the audit cannot be checked or continued
  AUDIT_WORKER_KEY       workers do not start, and their audit entries cannot be told from an API's
  BETTER_AUTH_SECRET     the API does not start: second factors cannot be read
  CREDENTIALS_KEY        no stored key of an exchange or a bot can be read; traders connect theirs again
  CREDENTIALS_INDEX_KEY  a key that is connected twice is not found
  POOL_KEYS_IDENTITY     no stored key of a pool can be read; each is replaced by a new one
  DEPOSIT_ACCOUNT_KEY    traders get no deposit addresses; the words give it again
  WALLET_SEED            nothing is paid out; the words give it again
Without the words and WALLET_SEED, all funds of the wallets are lost. Whoever has either can spend them.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      'from-words': { type: 'boolean', default: false },
      limits: { type: 'string' },
      backup: { type: 'boolean', default: false },
    },
  });
  if (values.limits !== undefined && !values.out) {
    console.log(limitsFor(values.limits));
    return;
  }
  if (!values.out) throw new StartError(USAGE, { isSetting: false });
  const folder = resolve(values.out);
  if (values.backup) {
    console.log(await writeBackupKeys(join(folder, BACKUP_IDENTITY)));
    return;
  }
  const isNew = !values['from-words'];
  const keys = isNew ? await createKeys() : await walletSecretsOf(await text(process.stdin));
  const written = await writeFiles(folder, keys.files);
  console.log(`Written, readable by you alone:\n${written.join('\n')}\n`);
  if (isNew) console.log(`${wordsForPaper(keys)}\n`);
  console.log(`Gas wallet: ${keys.gasAddress}\nIt pays for every transaction: send BNB to it.\n\n${LOSSES}`);
  const perDay = values.limits ?? (isNew ? await askVolume() : null);
  if (perDay) console.log(`\nLimits of payouts, for settings.env:\n${limitsFor(perDay)}`);
  else if (isNew)
    console.log('\nPayouts need limits: bin/copydesk keys --limits <USDT a day> proposes them.');
});

/** @returns where each half belongs */
async function writeBackupKeys(path: string): Promise<string> {
  requireNew(path);
  const { identity, recipient } = await createAgeKeyPair();
  await writeSecretFile(
    path,
    `# Opens the backups of Copydesk that are encrypted to:\n# ${recipient}\n${identity}`,
  );
  return `Written, readable by you alone:
  ${path}  the private half

The private half opens every backup that is made for it. Keep it offline in two places, apart from the backups and from
the machine that makes them: restore is the only command that reads it (--identity). Without it, those backups are lost.

The public half, for backup.env of the machine that makes backups:
BACKUP_AGE_RECIPIENTS=${recipient}

Two pairs, kept by two people, open the same backup: list both halves there, separated by a comma.`;
}

function requireNew(path: string): void {
  if (existsSync(path))
    throw new StartError(`${path} exists, and its secrets may be in use. Choose another folder.`, {
      isSetting: false,
    });
}

/** One question, where a person can answer it. */
async function askVolume(): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('\nHow many USDT do you expect to pay out in a day? ');
  terminal.close();
  return answer.trim() || null;
}

/** Lines of an environment file. @throws StartError when the text is no whole number of USDT */
function limitsFor(perDayUsdt: string): string {
  const text = perDayUsdt.replace(/[,_ ]/g, '');
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new StartError('The payouts expected in a day are a whole number of USDT, as in 10000.', {
      isSetting: false,
    });
  const { maxPerTransaction, maxPerDay, approvalAbove, hardMax } = proposeLimits(Number(text));
  return [
    `PAYOUT_MAX_PER_TRANSACTION=${maxPerTransaction}`,
    `PAYOUT_MAX_PER_DAY=${maxPerDay}`,
    `APPROVAL_ABOVE_USDT=${approvalAbove}`,
    `PAYOUT_HARD_MAX=${hardMax}`,
  ].join('\n');
}

async function writeFiles(folder: string, files: Partial<KeyFiles>): Promise<string[]> {
  const wanted = FILES.flatMap(([name, part, reader]) => {
    const variables = Object.entries(files[part] ?? {});
    return variables.length > 0 ? [{ path: join(folder, name), variables, reader }] : [];
  });
  for (const { path } of wanted) requireNew(path);
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
