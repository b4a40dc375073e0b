import { unfreezeWallet } from '../../apps/server/src/features/transfers/wallets/unfreeze-wallet.service.ts';
import { WHOLE_SCOPE } from '../../apps/server/src/platform/db/database.ts';
import { TRANSFER_PURPOSES } from '../../apps/server/src/wiring/transfer-purposes.ts';
import type { OwingWorld } from '../support/owing-world.ts';

const ACTOR = { kind: 'system', id: 'chaos', name: 'chaos' } as const;

/** Freezes one deposit address with a pending transfer, like a failed comparison with the chain. */
export async function freezeDeposit({ rows }: OwingWorld): Promise<void> {
  await rows(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0
     WHERE id = (
       SELECT i.wallet_id FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id
       WHERE i.kind = 'consolidate' AND i.state IN ('planned', 'sent') AND w.frozen_because IS NULL
       ORDER BY i.state, md5(i.id::text) LIMIT 1)`,
  );
}

/** Unfreezes every deposit address that was frozen here. */
export async function unfreezeDeposits({ db, rows }: OwingWorld): Promise<void> {
  const frozen = await rows<{ id: string }>(
    `SELECT id FROM chain_wallet WHERE frozen_because = 'balance_short'`,
  );
  for (const { id } of frozen)
    await db.write(WHOLE_SCOPE, ACTOR, (tx) => unfreezeWallet(tx, TRANSFER_PURPOSES, id, 'chaos'));
}
