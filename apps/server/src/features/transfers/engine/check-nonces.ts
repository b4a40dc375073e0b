import { sql } from 'kysely';
import { stopPayments } from '../../../core/transfers/transfer-gate.store.ts';
import type { WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import { type Tx, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import { freeze } from './freeze.ts';

const AT_ONCE = 200;

/**
 * Checks, before any signing, whether the chain has transactions of our wallets that we never signed. If so, this
 * database is older than the payments made from it, whoever put it back, and continuing would pay again: these wallets
 * are frozen, and all payments stop, because others may be ahead as well. Deposit addresses, which are many, are checked
 * here if they are to send now, and otherwise when they sign.
 */
export async function checkNonces(engine: TransferEngine): Promise<void> {
  const { db, chain, chainId } = engine;
  const wallets = await db.read(WHOLE_SCOPE, (tx) => listPayingWallets(tx, chainId));
  const ahead: { wallet: PayingWallet; chainNonce: number }[] = [];
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
      if (chainNonce > (known.get(wallet.id)?.nextNonce ?? chainNonce)) ahead.push({ wallet, chainNonce });
    }
  }
  if (ahead.length === 0) return;
  // An answer from a server of another chain must not stop payments.
  await chain.check(chainId);
  // Stops payments before freezing: a frozen wallet is not found again, and the stop would be lost if a later
  // step failed.
  await stopAll(
    engine,
    ahead.map(({ wallet }) => wallet.address),
  );
  for (const { wallet, chainNonce } of ahead)
    await freeze(engine, wallet, { because: 'chain_ahead', chainNonce });
}

/** In a reason of at most 500 characters. */
const SHOWN = 5;

async function stopAll({ db, log }: TransferEngine, ahead: readonly string[]): Promise<void> {
  const more = ahead.length > SHOWN ? ` and ${ahead.length - SHOWN} more` : '';
  const reason = `The chain has transactions of ${ahead.slice(0, SHOWN).join(', ')}${more} that this database does not know: it was restored, or the seed is used elsewhere. Run bin/copydesk admin after-restore`;
  const isNew = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    stopPayments(tx, { origin: 'alert', reason }),
  );
  log.error(
    { wallets: ahead.length, isNew },
    'all payments are stopped: the database is older than the chain',
  );
}

interface PayingWallet {
  id: string;
  role: WalletRole;
  address: string;
  nextNonce: number;
}

async function listPayingWallets(tx: Tx, chainId: number): Promise<PayingWallet[]> {
  const { rows } = await sql<Omit<PayingWallet, 'nextNonce'> & { next_nonce: string }>`
    SELECT w.id, w.role, w.address, w.next_nonce::text AS next_nonce FROM chain_wallet w
    WHERE w.chain_id = ${chainId} AND w.frozen_because IS NULL
      AND (w.role <> 'deposit' OR EXISTS (SELECT FROM transfer t WHERE t.wallet_id = w.id AND t.state = 'planned'))
    ORDER BY w.id`.execute(tx.sql);
  return rows.map(({ next_nonce, ...wallet }) => ({ ...wallet, nextNonce: Number(next_nonce) }));
}
