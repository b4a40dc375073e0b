import { randomBytes } from 'node:crypto';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english';
import { accountKeyOf } from '../integrations/chain/account-key.ts';
import { createWalletKeys } from '../integrations/chain/wallet-keys.ts';
import { StartError } from '../platform/process/start-error.ts';
import { createBoxKeys } from '../platform/secrets/worker-box.ts';

/** Environment files, by the programs that may read them. */
export interface KeyFiles {
  /** Of API and worker. */
  shared: Record<string, string>;
  /** Of the API alone. */
  api: Record<string, string>;
  /** Of the worker alone. It can spend all funds. */
  worker: Record<string, string>;
}

export interface WalletSecrets {
  /** 24 words of BIP-39 (English), separated by spaces: they are the wallets. */
  words: string;
  /** In its EIP-55 form. */
  gasAddress: string;
  files: { shared: { DEPOSIT_ACCOUNT_KEY: string }; worker: { WALLET_SEED: string } };
}

/** 256 random bits as hexadecimal text. */
const newSecret = () => randomBytes(32).toString('hex');

/** Every secret of a new installation. */
export async function createKeys(): Promise<Omit<WalletSecrets, 'files'> & { files: KeyFiles }> {
  const wallets = await walletSecretsOf(generateMnemonic(wordlist, 256));
  const box = await createBoxKeys();
  return {
    ...wallets,
    files: {
      shared: {
        AUDIT_KEY: newSecret(),
        CREDENTIALS_KEY: newSecret(),
        CREDENTIALS_INDEX_KEY: newSecret(),
        POOL_KEYS_RECIPIENT: box.recipient,
        ...wallets.files.shared,
      },
      api: { BETTER_AUTH_SECRET: newSecret() },
      worker: { AUDIT_WORKER_KEY: newSecret(), POOL_KEYS_IDENTITY: box.identity, ...wallets.files.worker },
    },
  };
}

/**
 * The secrets of the wallets that the words stand for. The seed is that of BIP-39 without a passphrase, so any wallet
 * program that reads such words has the same addresses.
 * @throws StartError when a word is wrong: the last one is a checksum
 */
export async function walletSecretsOf(words: string): Promise<WalletSecrets> {
  const normal = words.trim().toLowerCase().split(/\s+/).join(' ');
  if (!validateMnemonic(normal, wordlist))
    throw new StartError('These are not the words of a wallet: check their order and spelling.', {
      isSetting: false,
    });
  const seed = await mnemonicToSeed(normal);
  return {
    words: normal,
    gasAddress: createWalletKeys(seed).addressOf({ role: 'gas', keyIndex: 0 }),
    files: {
      shared: { DEPOSIT_ACCOUNT_KEY: accountKeyOf(seed) },
      worker: { WALLET_SEED: Buffer.from(seed).toString('hex') },
    },
  };
}
