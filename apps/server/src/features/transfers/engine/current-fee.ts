import { mostOf } from '@copydesk/domain/money';
import type { Fee } from '../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { TransferEngine } from './engine.ts';
import { findTipFloor } from './heartbeat.store.ts';

/**
 * The fee to sign with: what servers suggest, with a tip that they take. A server may suggest less than the minimum of
 * its own pool.
 */
export async function currentFee({ chain, db, chainId, now, minTipWei }: TransferEngine): Promise<Fee> {
  const [suggested, learned] = await Promise.all([
    chain.currentFee(),
    db.read(WHOLE_SCOPE, (tx) => findTipFloor(tx, chainId, now())),
  ]);
  const priorityFee = [learned, minTipWei].reduce(mostOf, suggested.priorityFee);
  return { priorityFee, maxFee: suggested.maxFee + (priorityFee - suggested.priorityFee) };
}
