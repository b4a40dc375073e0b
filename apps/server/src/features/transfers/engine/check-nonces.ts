import { sql } from 'kysely';
import { type Tx, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { TransferEngine } from './engine.ts';
import { freeze } from './freeze.ts';

const AT_ONCE = 200;

/**
 * Checks, before any signing, whether the chain has transactions of our wallets that we never signed. If so, this
 * database is older than the payments made from it, and continuing would pay again. Deposit addresses, which are many,
 * are checked when they sign.
 */
export async function checkNonces(engine: TransferEngine): Promise<void> {
  const { db, chain, chainId } = engine;
  const wallets = await db.read(WHOLE_SCOPE, (tx) => listPayingWallets(tx, chainId));
  for (let at = 0; at < wallets.length; at += AT_ONCE) {
    const some = wallets.slice(at, at + AT_ONCE);
    // Reads the chain first: transactions signed meanwhile only raise our own count.
    const counts = await Promise.all(some.map(({ address }) => chain.transactionCount(address, 'pending')));
    const known = new Map(
      (await db.read(WHOLE_SCOPE, (tx) => listPayingWallets(tx, chainId))).map((wallet) => [
        wallet.id,
        wallet,
      ]),
    );
    for (const [index, wallet] of some.entries()) {
      const chainNonce = counts[index] ?? 0;
      if (chainNonce > (known.get(wallet.id)?.nextNonce ?? chainNonce))
        await freeze(engine, wallet, { because: 'chain_ahead', chainNonce });
    }
  }
}

interface PayingWallet {
  id: string;
  role: 'gas' | 'community';
  address: string;
  nextNonce: number;
}

async function listPayingWallets(tx: Tx, chainId: number): Promise<PayingWallet[]> {
  const { rows } = await sql<Omit<PayingWallet, 'nextNonce'> & { next_nonce: string }>`
    SELECT id, role, address, next_nonce::text AS next_nonce FROM chain_wallet
    WHERE chain_id = ${chainId} AND role <> 'deposit' AND frozen_because IS NULL ORDER BY id`.execute(tx.sql);
  return rows.map(({ next_nonce, ...wallet }) => ({ ...wallet, nextNonce: Number(next_nonce) }));
}
