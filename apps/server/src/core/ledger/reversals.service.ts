import { LedgerError, reverseJournal } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { type PostedJournal, postJournals } from './ledger.service.ts';
import { lockBalances, openAccounts } from './ledger.store.ts';
import { findFollowed, listDrafts } from './reversals.views.ts';

/**
 * Takes journals back, each by one that mirrors it. Once: asked again, it answers the reversal that there is.
 * @throws LedgerError `not_newest` when later journals of the same invoice stand, `overdrawn` when what one brought is
 *   gone already
 */
export async function takeBackAll(tx: WriteTx, journalIds: readonly string[]): Promise<PostedJournal[]> {
  const drafts = await listDrafts(tx, journalIds);
  const mirrored = journalIds.map((id) => {
    const draft = drafts.get(id);
    if (!draft) throw new Error(`there is no journal ${id}`);
    return { draft: reverseJournal(id, draft) };
  });
  const accounts = await openAccounts(
    tx,
    mirrored.flatMap(({ draft }) => draft.postings.map(({ account }) => account)),
  );
  // Until this transaction ends nothing is posted to these accounts, so what is newest stays so.
  await lockBalances(tx, accounts.values());
  const followed = await findFollowed(tx, journalIds);
  if (followed) throw new LedgerError('not_newest', `journal ${followed}`);
  return postJournals(tx, mirrored);
}

/** Takes one journal back; see `takeBackAll`. */
export async function takeBack(tx: WriteTx, journalId: string): Promise<PostedJournal> {
  const [posted] = await takeBackAll(tx, [journalId]);
  return posted as PostedJournal;
}
