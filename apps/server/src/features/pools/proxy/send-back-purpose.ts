import { poolUnexplainedResolved } from '@copydesk/domain/ledger';
import type { TransferPurpose } from '../../../core/transfers/transfer-purpose.ts';
import { sendingBackActs, whyNoSendingBack } from '../flows/pool-facts.ts';
import * as store from './decisions.store.ts';

/** Sends unexplained money back, as two super admins decided. */
export const sendBackPurpose: TransferPurpose = {
  whyNotBacked: whyNoSendingBack,
  audited: sendingBackActs,
  goesTo: 'others',

  async journalsOf(tx, transfers) {
    const unitsOf = new Map(transfers.map(({ id, units }) => [id, units]));
    const sent = await store.listByTransfers(tx, [...unitsOf.keys()]);
    return sent.map(({ id, poolId, transferId }) => ({
      draft: poolUnexplainedResolved(
        poolId,
        { end: 'sent_back', units: unitsOf.get(transferId) as bigint },
        { type: 'arrival_decision', id },
      ),
    }));
  },

  async onEnded(tx, ended) {
    for (const { transfer, state } of ended)
      await store.recordEnded(tx, [transfer.id], state === 'final' ? 'done' : 'failed');
  },

  onAbandoned: (tx, transfers) =>
    store.recordEnded(
      tx,
      transfers.map(({ id }) => id),
      'failed',
    ),
};
