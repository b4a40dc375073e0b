import { accountKey, checkJournal, type JournalDraft, LedgerError } from '@copydesk/domain/ledger';
import type { WriteTx } from '../../platform/db/database.ts';
import * as store from './ledger.store.ts';
import * as views from './ledger.views.ts';
import { endReservations, listReservedAccounts } from './reservations.store.ts';

export interface JournalToPost {
  draft: JournalDraft;
  /** Reservations that this journal consumes, each in full. */
  reservationIds?: readonly string[];
}

export interface PostedJournal {
  id: string;
  /** False when the same journal was already posted and this call posted none. */
  isNew: boolean;
}

/**
 * Posts journals within the caller's transaction. Related journals are posted together, so all their balances are
 * locked in one order.
 * @throws LedgerError `source_taken` when the source made another journal before, `overdrawn`, `reservation_ended`
 */
export async function postJournals(
  tx: WriteTx,
  journals: readonly JournalToPost[],
): Promise<PostedJournal[]> {
  requireWholeScope(tx);
  for (const { draft } of journals) checkJournal(draft);
  const accounts = await store.openAccounts(
    tx,
    journals.flatMap(({ draft }) => draft.postings.map(({ account }) => account)),
  );
  const inOrder = bySource(journals);
  const ids = await store.insertJournals(
    tx,
    inOrder.map(({ draft }) => draft),
  );
  const posted: (PostedJournal & JournalToPost)[] = [];
  for (const journal of inOrder) {
    const id = ids.get(store.journalName(journal.draft));
    posted.push(
      id === undefined
        ? { ...journal, id: await sameAsBefore(tx, journal.draft), isNew: false }
        : { ...journal, id, isNew: true },
    );
  }
  const made = posted.filter(({ isNew }) => isNew);
  const postings = made.flatMap(({ id, draft }) =>
    draft.postings.map(({ account, amountUnits }) => ({
      journalId: id,
      accountId: accounts.get(accountKey(account)) as string,
      amountUnits,
    })),
  );
  await takeReservations(
    tx,
    made,
    postings.map(({ accountId }) => accountId),
  );
  if (postings.length > 0) await store.insertPostings(tx, postings);
  const answers = new Map(posted.map(({ draft, id, isNew }) => [draft, { id, isNew }]));
  return journals.map(({ draft }) => answers.get(draft) as PostedJournal);
}

/** Posts one journal; see `postJournals`. */
export async function postJournal(
  tx: WriteTx,
  draft: JournalDraft,
  reservationIds: readonly string[] = [],
): Promise<PostedJournal> {
  const [posted] = await postJournals(tx, [{ draft, reservationIds }]);
  return posted as PostedJournal;
}

/** Journals span providers, so only a caller with full scope may write: the worker or a super admin. */
export function requireWholeScope(tx: WriteTx): void {
  if (tx.scope.kind !== 'all') throw new Error('writing the ledger needs the scope of everything');
}

/** Reservations end before the postings that consume them; otherwise the amount would still count as reserved. */
async function takeReservations(
  tx: WriteTx,
  journals: readonly { id: string; reservationIds?: readonly string[] }[],
  accountIds: readonly string[],
): Promise<void> {
  const taken = journals.flatMap(({ reservationIds = [] }) => reservationIds);
  if (taken.length === 0) return;
  await store.lockBalances(tx, [...accountIds, ...(await listReservedAccounts(tx, taken))]);
  for (const { id, reservationIds = [] } of journals) {
    if (reservationIds.length === 0) continue;
    if ((await endReservations(tx, reservationIds, id)) < reservationIds.length)
      throw new LedgerError('reservation_ended', 'a reservation is missing, or already posted or voided');
  }
}

/** The id of the journal that the source already made, which must equal this one. */
async function sameAsBefore(tx: WriteTx, draft: JournalDraft): Promise<string> {
  const before = await views.findJournal(tx, draft.kind, draft.source);
  const wanted = draft.postings.map(({ account, amountUnits }) => `${accountKey(account)} ${amountUnits}`);
  const isSame =
    before !== null &&
    before.provider_id === draft.providerId &&
    before.reverses === draft.reverses &&
    JSON.stringify(before.postings.sort()) === JSON.stringify(wanted.sort());
  if (!isSame)
    throw new LedgerError('source_taken', `${draft.kind} of ${draft.source.type} ${draft.source.id}`);
  return before.id;
}

function bySource(journals: readonly JournalToPost[]): JournalToPost[] {
  return journals
    .map((journal) => ({ journal, name: store.journalName(journal.draft) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ journal }) => journal);
}
