import { LedgerError, reverseJournal } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { type PostedJournal, postJournal } from './ledger.service.ts';
import { lockBalances, openAccounts } from './ledger.store.ts';
import { findDraft, isFollowed } from './reversals.views.ts';

/**
 * Takes a journal back by one that mirrors it. Once: asked again, it answers the reversal that there is.
 * @throws LedgerError `not_newest` when later journals of the same invoice stand, `overdrawn` when what it brought is
 *   gone already
 */
export async function takeBack(tx: WriteTx, journalId: string): Promise<PostedJournal> {
  const draft = await findDraft(tx, journalId);
  if (!draft) throw new Error(`there is no journal ${journalId}`);
  const accounts = await openAccounts(
    tx,
    draft.postings.map(({ account }) => account),
  );
  // Until this transaction ends nothing is posted to these accounts, so what is newest stays so.
  await lockBalances(tx, accounts.values());
  if (await isFollowed(tx, journalId)) throw new LedgerError('not_newest', `journal ${journalId}`);
  return postJournal(tx, reverseJournal(journalId, draft));
}
