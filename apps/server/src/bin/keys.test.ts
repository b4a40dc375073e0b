import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { mnemonicToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPILE_CACHE } from '../../../../tests/support/compile-cache.ts';
import { createDepositAddresses } from '../integrations/chain/deposit-addresses.ts';
import { readIdentities } from '../platform/backup/age.ts';
import { recipientOf } from '../platform/secrets/worker-box.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copydesk-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runKeys(args: string[], input = '') {
  const script = fileURLToPath(new URL('./keys.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { env: COMPILE_CACHE });
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { output, errors, code };
}

function variablesIn(name: string, below = folder): Record<string, string> {
  const lines = readFileSync(join(below, name), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
}

/** The numbered words of the sheet that goes on paper. */
const wordsIn = (output: string) =>
  [...output.matchAll(/^ .*$/gm)].join(' ').match(/(?<=\b\d+ )[a-z]+/g) ?? [];

test('makes every secret, each for the programs that read it, and shows the words once', async () => {
  const { output, errors, code } = await runKeys(['--out', folder]);
  expect(errors).toBe('');
  expect(code).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['api.keys.env', 'keys.env', 'worker.keys.env']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const shared = variablesIn('keys.env');
  expect(Object.keys(shared)).toEqual([
    'AUDIT_KEY',
    'CREDENTIALS_KEY',
    'CREDENTIALS_INDEX_KEY',
    'POOL_KEYS_RECIPIENT',
    'DEPOSIT_ACCOUNT_KEY',
  ]);
  expect(Object.keys(variablesIn('api.keys.env'))).toEqual(['BETTER_AUTH_SECRET']);
  const ofWorker = variablesIn('worker.keys.env');
  expect(Object.keys(ofWorker)).toEqual(['AUDIT_WORKER_KEY', 'POOL_KEYS_IDENTITY', 'WALLET_SEED']);
  const { WALLET_SEED: seed = '', AUDIT_WORKER_KEY: workerKey = '' } = ofWorker;
  expect(workerKey).not.toBe(shared.AUDIT_KEY);
  const { POOL_KEYS_IDENTITY: identity = '' } = ofWorker;
  expect(await recipientOf(identity)).toBe(shared.POOL_KEYS_RECIPIENT);

  // Words, seed and addresses agree, as another program derives them.
  const words = wordsIn(output);
  expect(words).toHaveLength(24);
  const path = (account: number) => ({ path: `m/44'/60'/${account}'/0/0` as const });
  expect(output).toContain(`Gas wallet: ${mnemonicToAccount(words.join(' '), path(2)).address}`);
  const addresses = createDepositAddresses(shared.DEPOSIT_ACCOUNT_KEY ?? '');
  expect(addresses.at(0)).toBe(mnemonicToAccount(words.join(' '), path(0)).address);
  const secrets = [
    ...Object.values(variablesIn('api.keys.env')),
    ...Object.values(shared),
    workerKey,
    identity,
    seed,
  ];
  for (const secret of secrets) expect(output).not.toContain(secret);
});

test('overwrites nothing', async () => {
  await runKeys(['--out', folder]);
  const before = variablesIn('worker.keys.env');
  const { errors, code } = await runKeys(['--out', folder]);
  expect(code).toBe(1);
  expect(errors).toContain('exists, and its secrets may be in use');
  expect(variablesIn('worker.keys.env')).toEqual(before);
});

test('makes the same wallets again from their words, and refuses a wrong word', async () => {
  const { output } = await runKeys(['--out', folder]);
  const words = wordsIn(output);
  const again = join(folder, 'again');
  expect((await runKeys(['--out', again, '--from-words'], `${words.join('\n').toUpperCase()}\n`)).code).toBe(
    0,
  );
  const { WALLET_SEED } = variablesIn('worker.keys.env');
  expect(variablesIn('worker.keys.env', again)).toEqual({ WALLET_SEED });
  expect(variablesIn('keys.env', again).DEPOSIT_ACCOUNT_KEY).toBe(
    variablesIn('keys.env').DEPOSIT_ACCOUNT_KEY,
  );

  // The last word of these would have to be "art".
  const wrong = 'abandon '.repeat(24);
  const { errors, code } = await runKeys(['--out', join(folder, 'wrong'), '--from-words'], wrong);
  expect({ errors, code }).toEqual({
    errors: 'These are not the words of a wallet: check their order and spelling.\n',
    code: 1,
  });
});

test('makes the pair of keys of backups, and says where each half belongs', async () => {
  const { output, errors, code } = await runKeys(['--backup', '--out', folder]);
  expect({ errors, code }).toEqual({ errors: '', code: 0 });
  expect(readdirSync(folder)).toEqual(['backup-identity.txt']);
  const path = join(folder, 'backup-identity.txt');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [pair] = await readIdentities(path);
  expect(output).toContain(`BACKUP_AGE_RECIPIENTS=${pair?.recipient}\n`);
  expect(output).not.toContain(pair?.identity);

  const again = await runKeys(['--backup', '--out', folder]);
  expect(again.errors).toContain('backup-identity.txt exists');
  expect(await readIdentities(path)).toEqual([pair]);
});

test('a folder that cannot be made is one line', async () => {
  const { errors, code } = await runKeys(['--out', '/dev/null/keys']);
  expect({ errors, code }).toEqual({ errors: '/dev/null/keys: a file is in place of a folder.\n', code: 1 });
});

test('proposes the limits of payouts from the expected volume, and writes nothing', async () => {
  const { output, code } = await runKeys(['--limits', '10,000']);
  expect(code).toBe(0);
  expect(output.trim().split('\n')).toEqual([
    'PAYOUT_MAX_PER_TRANSACTION=10000',
    'PAYOUT_MAX_PER_DAY=20000',
    'APPROVAL_ABOVE_USDT=2000',
    'PAYOUT_HARD_MAX=20000',
  ]);
  expect(readdirSync(folder)).toEqual([]);
  const wrong = await runKeys(['--limits', 'much']);
  expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('a whole number of USDT')]);
});
