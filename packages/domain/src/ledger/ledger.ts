import { ACCOUNT_KINDS, accountKey, type LedgerAccount } from './ledger-accounts.ts';
import { LedgerError } from './ledger-error.ts';

/** Every kind of journal. */
export const JOURNAL_KINDS = [
  'deposit_received',
  'invoice_issued',
  'invoice_paid',
  'invoice_settled_by_hand',
  'invoice_settled_elsewhere',
  'invoice_cancelled',
  'invoice_discounted',
  'credit_returned',
  'consolidated',
  'distributed',
  'gas_funded',
  'gas_spent',
  'pool_deposit_seen',
  'pool_deposit_admitted',
  'pool_deposit_returned',
  'pool_withdrawal_paid',
  'pool_sent',
  'pool_credited',
  'pool_bounced',
  'pool_funds_returned',
  'pool_unexplained_in',
  'pool_unexplained_resolved',
  'pool_return_undone',
  'pool_valued',
  'pool_lost',
  'pool_fee_charged',
  'pool_fee_moved',
  'reversal',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** The fact behind a journal. A fact makes one journal of a kind, however often it is reported. */
export interface LedgerSource {
  type: string;
  id: string;
}

export interface JournalPosting {
  account: LedgerAccount;
  /** Base units; above zero a debit, below zero a credit. */
  amountUnits: bigint;
}

export interface JournalDraft {
  kind: JournalKind;
  source: LedgerSource;
  /** The provider of its invoice; null for none or several. */
  providerId: string | null;
  /** The journal that this one reverses. */
  reverses: string | null;
  postings: readonly JournalPosting[];
}

/** An amount that goes from the credit side of one account to the debit side of another. */
export interface Movement {
  debit: LedgerAccount;
  credit: LedgerAccount;
  /** Base units, zero or more. Zero moves nothing and leaves no posting. */
  units: bigint;
}

/** Ledger amounts stay below this: the database uses numeric(38, 0). Base units. */
export const LEDGER_UNITS_LIMIT = 10n ** 38n;

/**
 * Builds a journal from movements: one posting per account, balanced by construction.
 * @throws LedgerError when a movement is negative, mixes assets, or nothing is left to post
 */
export function buildJournal(
  head: Omit<JournalDraft, 'postings' | 'reverses'>,
  movements: readonly Movement[],
): JournalDraft {
  const postings = new Map<string, JournalPosting>();
  const add = (account: LedgerAccount, units: bigint) => {
    const key = accountKey(account);
    postings.set(key, { account, amountUnits: (postings.get(key)?.amountUnits ?? 0n) + units });
  };
  for (const { debit, credit, units } of movements) {
    if (units < 0n) throw new LedgerError('amount_out_of_range', `a movement of ${units}`);
    if (debit.asset !== credit.asset)
      throw new LedgerError('mixed_assets', `${credit.asset} for ${debit.asset}`);
    add(debit, units);
    add(credit, -units);
  }
  const draft: JournalDraft = {
    ...head,
    reverses: null,
    postings: [...postings.values()].filter(({ amountUnits }) => amountUnits !== 0n),
  };
  checkJournal(draft);
  return draft;
}

/**
 * The journal that reverses another one. A journal has at most one reversal, because its source is the journal.
 * Journals of an invoice are reversed newest first: otherwise a payment that a cancellation has returned would be
 * returned twice.
 * @param id of the reversed journal
 */
export function reverseJournal(id: string, journal: JournalDraft): JournalDraft {
  return {
    kind: 'reversal',
    source: { type: 'journal', id },
    providerId: journal.providerId,
    reverses: id,
    postings: journal.postings.map(({ account, amountUnits }) => ({ account, amountUnits: -amountUnits })),
  };
}

/** @throws LedgerError when these postings cannot be a journal; the database would refuse them as well. */
export function checkJournal({ kind, postings }: Pick<JournalDraft, 'kind' | 'postings'>): void {
  const sums = new Map<string, bigint>();
  for (const { account, amountUnits } of postings) {
    if (amountUnits === 0n) throw new LedgerError('zero_posting', `${kind}, ${accountKey(account)}`);
    if (amountUnits >= LEDGER_UNITS_LIMIT || amountUnits <= -LEDGER_UNITS_LIMIT)
      throw new LedgerError('amount_out_of_range', `${kind}, ${accountKey(account)}: ${amountUnits}`);
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + amountUnits);
  }
  if (postings.length < 2) throw new LedgerError('too_few_postings', kind);
  if (new Set(postings.map(({ account }) => accountKey(account))).size < postings.length)
    throw new LedgerError('account_twice', kind);
  for (const [asset, sum] of sums)
    if (sum !== 0n) throw new LedgerError('unbalanced', `${kind}: ${sum} ${asset}`);
}

/** The effect of a posting on its account's balance, in base units: positive is an increase, on either side. */
export function balanceChange({ account, amountUnits }: JournalPosting): bigint {
  return ACCOUNT_KINDS[account.kind].side === 'debit' ? amountUnits : -amountUnits;
}

/**
 * Balances by account key, in base units, after a journal.
 * @throws LedgerError `overdrawn` when an account that may not be negative would be
 */
export function applyJournal(
  balances: ReadonlyMap<string, bigint>,
  { kind, postings }: Pick<JournalDraft, 'kind' | 'postings'>,
): Map<string, bigint> {
  const after = new Map(balances);
  for (const posting of postings) {
    const key = accountKey(posting.account);
    const balance = (after.get(key) ?? 0n) + balanceChange(posting);
    if (balance < 0n && !ACCOUNT_KINDS[posting.account.kind].mayBeNegative)
      throw new LedgerError('overdrawn', `${kind}, ${key}: ${balance}`);
    after.set(key, balance);
  }
  return after;
}
