import { LedgerError, reverseJournal } from '@copydesk/domain/ledger';
import type { WriteTx } from '../../platform/db/database.ts';
import { type PostedJournal, postJournals } from './ledger.service.ts';
import { lockBalances, openAccounts } from './ledger.store.ts';
import { findFollowed, listDrafts } from './reversals.views.ts';

/**
 * Reverses journals, each with a mirrored one, at most once. A repeated call returns the existing reversals.
 * @throws LedgerError `not_newest` when a later journal of the same invoice is not reversed, `overdrawn` when an amount
 * is already spent
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
  // Blocks postings to these accounts until the transaction ends, so the newest journal stays the newest.
  await lockBalances(tx, accounts.values());
  const followed = await findFollowed(tx, journalIds);
  if (followed) throw new LedgerError('not_newest', `journal ${followed}`);
  return postJournals(tx, mirrored);
}

/** Reverses one journal; see `takeBackAll`. */
export async function takeBack(tx: WriteTx, journalId: string): Promise<PostedJournal> {
  const [posted] = await takeBackAll(tx, [journalId]);
  return posted as PostedJournal;
}
