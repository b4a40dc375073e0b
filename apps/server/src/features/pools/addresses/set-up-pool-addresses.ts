import { type NewWallet, openWallets } from '../../../core/transfers/open-wallets.store.ts';
import type { WalletKeys, WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './pool-addresses.store.ts';

/** Deriving a key takes half a millisecond, so a turn stays below a second. */
const MEMBERS_AT_ONCE = 1_000;

export interface PoolAddressSetUp {
  db: Database;
  log: Logger;
  keys: WalletKeys;
  chainId: number;
}

/**
 * Assigns addresses to new pools and members, and opens their wallets, which the reconciliation compares with the chain
 * from then on. Runs where the seed is, because only the seed gives the addresses.
 */
export async function setUpPoolAddresses({ db, log, keys, chainId }: PoolAddressSetUp): Promise<void> {
  /** A wallet is opened only at the address of the seed: nothing could be sent from another one. */
  const derive = (role: WalletRole, found: readonly store.WithoutWallet[]): NewWallet[] =>
    found.flatMap(({ ownerId, keyIndex, address: known }) => {
      const address = keys.addressOf({ role, keyIndex });
      if (known === null || known === address) return [{ ownerId, keyIndex, address }];
      log.error({ role, ownerId, known, address }, 'an address of a pool is not of this seed');
      return [];
    });
  const pools = derive('pool_proxy', await read(db, (tx) => store.listPoolsWithoutWallet(tx, chainId)));
  const members = derive(
    'pool_deposit',
    await read(db, (tx) => store.listMembersWithoutWallet(tx, chainId, MEMBERS_AT_ONCE)),
  );
  if (pools.length + members.length === 0) return;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await setUpProxies(tx, pools, chainId);
    await store.setDepositAddresses(tx, members);
    await openWallets(tx, { chainId, role: 'pool_deposit' }, members);
  });
}

const read = <T>(db: Database, work: Parameters<typeof db.read<T>>[1]) => db.read(WHOLE_SCOPE, work);

async function setUpProxies(tx: WriteTx, pools: readonly NewWallet[], chainId: number): Promise<void> {
  for (const { ownerId, address } of pools) {
    await store.setProxyAddress(tx, ownerId, address);
    tx.audit({
      action: 'pool.proxy_set_up',
      target: { kind: 'pool', id: ownerId },
      after: { proxy_address: address },
    });
  }
  await openWallets(tx, { chainId, role: 'pool_proxy' }, pools);
}
