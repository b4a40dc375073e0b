import { findDepositKey, insertDepositKey } from '../features/deposits/deposit-key.store.ts';
import { accountKeyOf, fingerprintOf } from '../integrations/chain/account-key.ts';
import { createDepositAddresses, type DepositAddresses } from '../integrations/chain/deposit-addresses.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { StartError } from '../platform/process/start-error.ts';
import { WORKER_ACTOR } from '../platform/work/worker-actor.ts';

interface Keys {
  db: Database;
  /** DEPOSIT_ACCOUNT_KEY. */
  accountKey: string | undefined;
  /** WALLET_SEED, if this process has it. */
  seed?: Uint8Array | null;
}

/**
 * Checks that the configured account key, the seed and this database's earlier key agree. A process with the seed
 * confirms the key: from then on addresses may be derived from it.
 * @throws Error when two of them differ: traders would be asked to pay to addresses that cannot be spent from
 */
export async function agreeOnDepositKey({ db, accountKey, seed }: Keys): Promise<void> {
  const configured = accountKey ? readAccountKey(accountKey) : null;
  const ofSeed = seed ? fingerprintOf(accountKeyOf(seed)) : null;
  if (configured && ofSeed && configured !== ofSeed)
    throw new StartError(
      "DEPOSIT_ACCOUNT_KEY is not the public key of account m/44'/60'/0' of WALLET_SEED. Deposits to its addresses could not be paid out.",
    );
  if (ofSeed) await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => insertDepositKey(tx, ofSeed));
  const stored = await db.read(WHOLE_SCOPE, findDepositKey);
  if (stored && ofSeed && stored !== ofSeed)
    throw new StartError(
      'WALLET_SEED is not the seed that this database was used with. Restore the seed that the deposit addresses were derived from.',
    );
  if (stored && configured && stored !== configured)
    throw new StartError(
      'DEPOSIT_ACCOUNT_KEY is not the account key that this database was used with. Deposits to its addresses could not be paid out.',
    );
}

function readAccountKey(accountKey: string): string {
  try {
    return fingerprintOf(accountKey);
  } catch {
    throw new StartError('DEPOSIT_ACCOUNT_KEY: must be an extended public key, "xpub..."');
  }
}

/**
 * Addresses for traders; null while none may be assigned: no account key is configured, or no worker with the seed has
 * confirmed it yet.
 */
export async function findConfirmedAddresses({
  db,
  accountKey,
}: Pick<Keys, 'db' | 'accountKey'>): Promise<DepositAddresses | null> {
  if (!accountKey) return null;
  const stored = await db.read(WHOLE_SCOPE, findDepositKey);
  return stored === fingerprintOf(accountKey) ? createDepositAddresses(accountKey) : null;
}
