import { ACCOUNT_KIND_NAMES, STATEMENT_OWNERS } from '@copydesk/domain/ledger';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { decimalString, id, queryInteger, timestamp } from '../fields.ts';

const ASSETS = ['USDT', 'BNB'] as const;
const account = z.enum(ACCOUNT_KIND_NAMES);
const asset = z.enum(ASSETS);

const owner = {
  owner_kind: z.enum(STATEMENT_OWNERS),
  owner_id: id.optional().describe('whose accounts; not for the platform'),
};

/** What an owner has in its accounts of a kind. Amounts are in whole tokens. */
const balance = z
  .object({
    account,
    asset,
    /** An owner has several of a kind by way of its invoices. */
    accounts: z.int(),
    balance: decimalString,
  })
  .meta({ id: 'AccountBalance' });

/** A posting. Amounts are in whole tokens. */
const movement = z
  .object({
    id: z.string(),
    journal_id: id,
    at: timestamp,
    /** Of the journal: one of the ledger's kinds, or of an import. */
    kind: z.string(),
    /** Above zero is an increase, on either side of the ledger. */
    change: decimalString,
    /** After this movement, of all accounts of the statement together. */
    balance: decimalString,
    /** The fact that was booked. */
    source_type: z.string(),
    source_id: z.string(),
    /** The invoice whose account it is; null: it is no account of an invoice. */
    invoice_id: id.nullable(),
    actor_name: z.string(),
    /** The journal that this one takes back. */
    reverses: id.nullable(),
  })
  .meta({ id: 'Movement' });

const asked = {
  ...owner,
  account,
  asset: asset.default('USDT'),
  from: timestamp.optional().describe('the first moment; from the beginning of the books when omitted'),
  to: timestamp.optional().describe('the moment after the last one; until now when omitted'),
};

const access = { permission: 'super', recentAuth: false } as const;

export const statementCalls = entries({
  'GET /api/statements/balances': {
    ...access,
    summary: 'The balances of the accounts of an owner, now or as of any time',
    query: z.strictObject({
      ...owner,
      at: timestamp.optional().describe('what was booked before this moment; all of it when omitted'),
    }),
    answer: ok(
      z.object({
        /** Its name for people. */
        owner: z.string(),
        balances: z.array(balance),
        /**
         * What is owed on invoices of another system that are in no books yet: an import is booked before its first change
         * here, or with the opening of its trader's books. Null: not of such an owner.
         */
        not_booked: z.object({ invoices: z.int(), amount: decimalString }).nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/statements': {
    ...access,
    summary:
      'A statement of the accounts of one kind of an owner: opening balance, movements, latest first, and closing balance',
    query: z.strictObject({
      ...asked,
      limit: queryInteger(1, 200).optional(),
      offset: queryInteger(0, 10_000_000).optional(),
    }),
    answer: page(movement, {
      /** Movements from `from` to `to`. */
      total: z.int(),
      /** opening + increase - decrease = closing */
      opening: decimalString,
      increase: decimalString,
      decrease: decimalString,
      closing: decimalString,
    }),
    errors: ['not_found'],
  },
  'GET /api/statements/export': {
    ...access,
    summary: 'The movements of a statement as CSV, oldest first, streamed',
    query: z.strictObject(asked),
    answer: { stream: 'text/csv' },
    errors: ['not_found'],
    perMinute: 10,
  },
});
