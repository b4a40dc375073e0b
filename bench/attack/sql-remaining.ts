/** What the API's login can do, and why that is harmless or bounded. */
export interface Remaining {
  /** A table or a function. */
  on: string;
  /** INSERT, DELETE, TRUNCATE, CALL, or columns that can be set. */
  acts: string;
  /** Acts that take a row which not every world has. */
  sometimes?: string;
  why: string;
}

const NAMES =
  'In the name of a person, which the API must be able to act in. The audit has it, and the worker checks what follows from it';

export const REMAINING: readonly Remaining[] = [
  {
    on: 'app.unfreeze_wallet(wallet uuid)',
    acts: 'CALL',
    why: 'A frozen wallet signs again, only what a fact allows; a wallet whose books still differ from the chain freezes again within five minutes',
  },
  {
    on: 'app.void_unsignable(ids uuid[])',
    acts: 'CALL',
    why: 'Takes back what was never signed; its shares become pending again',
  },
  {
    on: 'chain_cursor',
    acts: 'stopped_because updated_at needs_review',
    why: 'Reading goes on after a changed block, from the same block: a worker compares it again and stops again',
  },
  {
    on: 'chain_wallet',
    acts: 'INSERT created_at',
    why: 'The worker signs for addresses that it derives from the seed, and compares address and index before it does',
  },
  {
    on: 'community',
    sometimes: 'INSERT',
    acts: 'name split_percentage trader_referral_percentage commission_rate minimum_balance created_at updated_at owner_name owner_telegram_id owner_language',
    why: `Terms of later invoices; the split of an invoice is frozen with it. ${NAMES}`,
  },
  {
    on: 'community',
    acts: 'referrer_wallet_address external_wallet_address',
    why: 'A trigger notes the change and holds the address; without a release it is paid to after the hold, and the audit and the screen show it meanwhile',
  },
  {
    on: 'money_order',
    acts: 'INSERT state',
    why: `Write-offs are below the limit of each super admin. ${NAMES}. Its time is the database's, and an approval takes an independent, confirmed super admin`,
  },
  {
    on: 'payable',
    acts: '',
    sometimes: 'INSERT payout_id settled_at',
    why: 'A share is added to another invoice, goes back to pending, or to a payout of its own recipient at the present address, or counts as settled before the import, which pays nobody; the worker recomputes shares and amount before it signs',
  },
  {
    on: 'money_order_line',
    acts: '',
    sometimes: 'INSERT',
    why: 'In the transaction that makes its order, and never later: the database compares the times',
  },
  ...['community', 'provider', 'trader'].map((on) => ({
    on,
    acts: 'DELETE',
    why: 'One that nothing refers to: foreign keys keep every other',
  })),
  {
    on: 'pool_deposit',
    acts: 'return_order_id',
    why: 'The worker compares order, recipient and amount before it returns a deposit',
  },
  {
    on: 'pool_withdrawal',
    acts: 'order_id',
    why: 'The worker compares order, recipient and amount before it pays',
  },
  {
    on: 'ledger_reservation_end',
    acts: '',
    sometimes: 'INSERT',
    why: 'Ends what was promised and is not being paid, as taking back and paying again do; a worker pays only what is reserved',
  },
  {
    on: 'distribution',
    acts: 'INSERT state',
    why: 'Orders below the limit need one person. The worker holds itself to the maxima of its environment, and the database wants an independent person where one decided',
  },
  {
    on: 'exchange_credential',
    acts: 'DELETE account_id provider_id field version ciphertext wrapped_key master_key_id masked fingerprint created_at kept_for_last_read',
    why: 'Sealed: a changed one cannot be opened, and its account is no longer read. No money',
  },
  ...['journal', 'posting'].map((on) => ({
    on,
    acts: '',
    sometimes: 'INSERT',
    why: 'Balanced, between the accounts of invoices and traders, as markings and orders with bots do. Tokens, coin and the capital of members only workers post; a share is recomputed from deposits before it is paid',
  })),
  {
    on: 'message',
    acts: '',
    sometimes: 'INSERT',
    why: 'NOT BOUNDED YET: any words to traders and owners whose chat is known, as if the platform said them. A whole address in them is that of the recipient itself',
  },
  {
    on: 'harvest_cycle',
    acts: 'deadline_at look_at reason reason_detail approval_awaited_since waited_ms',
    sometimes: 'trading_acknowledged_at',
    why: 'When a worker looks at it and what screens say. The API moves a cycle as people may, which a trigger holds it to; what it gained or lost, and the parts of members, only workers write, from what they read',
  },
  {
    on: 'harvest_funding',
    acts: 'INSERT',
    why: 'Another attempt. The worker funds the approved address at the exchange only, after its wait, from the proxy wallet of that pool; what was credited, only workers write',
  },
  {
    on: 'harvest_resolution',
    acts: 'INSERT replaced_at',
    why: `${NAMES}. A constraint wants two people; whether they are independent, the API checks`,
  },
  {
    on: 'identity.user_access',
    acts: 'admin disabled_at updated_at accepted_at',
    why: "Taking away is one person's act. Staff may order nothing that leaves for an address that nobody released, and a super admin needs a sponsor",
  },
  {
    on: 'identity.user_sponsor',
    acts: 'INSERT',
    why: 'Of an active super admin only. A false one takes independence, and gives none',
  },
  {
    on: 'invoice',
    acts: 'settled_by is_archived paid_at updated_at settlement_journal_id',
    sometimes: 'INSERT status',
    why: 'A share is recomputed from deposit, payment and frozen split before its payout is signed. Marking as paid, archiving and cancelling what is unpaid follow from an order, below the limit of a super admin; a new invoice is unpaid, and what was paid on it is what `app.take_payments` took',
  },
  {
    on: 'invoice_deduction',
    acts: '',
    sometimes: 'INSERT',
    why: `Lowers the next invoice of a trader by no more than its exchange corrected, as a worker read it. ${NAMES}`,
  },
  {
    on: 'app.take_payments(payments uuid[], invoices uuid[], units numeric[])',
    acts: '',
    sometimes: 'CALL',
    why: 'What is left of a payment, which a worker wrote, pays an open invoice of its trader: as the product does',
  },
  {
    on: 'payout',
    acts: 'INSERT status version consolidate_transaction_hash updated_at problem replaced_by_id',
    why: 'Pays only shares, to the present address of their recipient after its hold; a failed one is not paid, and the link to its successor is shown alone',
  },
  {
    on: 'platform_recipient',
    acts: 'address',
    why: 'A trigger notes the change and holds the address',
  },
  {
    on: 'platform_setting_change',
    acts: 'INSERT state',
    why: `What tightens is one person's act; what loosens takes an independent, confirmed super admin. ${NAMES}`,
  },
  {
    on: 'pool_arrival',
    acts: 'state decided_units',
    why: 'What nobody explained stays on the proxy wallet; it leaves by a decision only, to an address that the worker compares',
  },
  {
    on: 'pool_arrival_decision',
    acts: 'transfer_id booked_cycle_id decided_by_id',
    why: 'The worker compares pool, recipient and amount of the decision with the transfer',
  },
  {
    on: 'pool_exchange_request',
    acts: '',
    sometimes: 'INSERT',
    why: 'A question to the exchange of a pool, which a call may ask as well. Answers are written by workers, and one connects the account and the key that it is about, which another super admin approves',
  },
  {
    on: 'pool_member',
    acts: 'carry_units',
    why: 'Losses that make up for fees: shifts a fee of the community, within the result of its pool',
  },
  {
    on: 'pool_withdrawal',
    acts: 'INSERT reserved_units cycle_id waits_because',
    why: 'Asked for in the name of a member, and what became of it is written by workers. Paid to the present address of its member only, within the balance that the ledger lets be reserved',
  },
  {
    on: 'pooled_account',
    acts: 'is_active minimum_deposit_units updated_at fee_basis has_bot max_drawdown_percentage',
    why: `Terms of a pool. ${NAMES}`,
  },
  {
    on: 'provider',
    acts: 'INSERT name display_name payment_split_percentage minimum_commission_rate supported_exchanges telegram_admin_channel_id is_active invoicing_enabled created_at updated_at reveal_super_only',
    why: `Terms of later invoices. ${NAMES}`,
  },
  {
    on: 'provider',
    acts: 'payout_address',
    why: 'A trigger notes the change and holds the address',
  },
  {
    on: 'trader',
    sometimes: 'INSERT',
    acts: 'community_id selected_provider_id status suggested_delinquent_at reference_number name email telegram_username telegram_user_id language referral_code last_updated_by created_at updated_at aum aum_read_at account_count pool_capital books_opened_at source',
    why: 'Data of traders and figures, which are read again. A Telegram id that is set confirms no address for 30 days, by a time that the database writes. Books that are opened without a check pay nothing: a share follows from what a worker posted',
  },
  {
    on: 'trader',
    acts: 'external_wallet_address',
    why: 'A trigger notes the change and holds the address',
  },
  {
    on: 'trader',
    acts: 'reference_clash',
    why: 'Nothing: a trigger writes it, whatever is asked for',
  },
  {
    on: 'trader',
    acts: 'referred_by_trader_id',
    why: 'A trigger notes the change and holds the shares of that referrer until an independent super admin released it',
  },
  { on: 'transfer', acts: 'is_cancel_asked', why: 'Ends a transfer that was sent, and pays nobody' },
  {
    on: 'pg_catalog.database_to_xml(nulls boolean, tableforest boolean, targetns text)',
    acts: '',
    // It reads the whole schema, which a busy machine does not do within the timeout of a statement.
    sometimes: 'CALL',
    why: 'Reads what the role may read',
  },
  ...['lo_creat(integer)', 'lo_create(oid)', 'lo_from_bytea(oid, bytea)'].map((name) => ({
    on: `pg_catalog.${name}`,
    acts: 'CALL',
    why: 'Large objects take space. Nothing reads them; only a superuser can take the right from everyone',
  })),
  ...['lock', 'lock_shared', 'unlock', 'unlock_shared', 'xact_lock', 'xact_lock_shared'].flatMap((kind) =>
    ['(bigint)', '(integer, integer)'].map((given) => ({
      on: `pg_catalog.pg_advisory_${kind}${given}`,
      acts: 'CALL',
      why: 'Can delay work that takes the same lock, until the connection ends',
    })),
  ),
  { on: 'pg_catalog.pg_advisory_unlock_all()', acts: 'CALL', why: 'Its own locks only' },
  {
    on: 'pg_catalog.pg_cancel_backend(integer)',
    acts: 'CALL',
    why: 'Sessions of the same login only: other APIs, no worker',
  },
  {
    on: 'pg_catalog.pg_terminate_backend(pid integer, timeout bigint)',
    acts: 'CALL',
    why: 'Sessions of the same login only: other APIs, no worker',
  },
  ...['bytea', 'text'].map((type) => ({
    on: `pg_catalog.pg_logical_emit_message(transactional boolean, prefix text, message ${type}, flush boolean)`,
    acts: 'CALL',
    why: 'Writes into the log of changes, which nothing of ours reads',
  })),
  {
    on: 'pg_catalog.pg_notify(text, text)',
    acts: 'CALL',
    why: 'Wakes a worker, which reads rows and believes no text',
  },
  {
    on: 'pg_catalog.set_config(text, text, boolean)',
    acts: 'CALL',
    why: 'Scope and caller of its own transaction: the API is what checks them',
  },
];

/** What is possible and not on the list, and what is on the list and refused. */
export function compareWithRemaining(possible: ReadonlySet<string>): {
  unlisted: string[];
  refused: string[];
} {
  const named = (acts: (each: Remaining) => string) =>
    REMAINING.flatMap((each) =>
      acts(each)
        .split(' ')
        .filter((act) => act !== '')
        .map((act) => `${each.on}: ${act}`),
    );
  const listed = new Set(named(({ acts, sometimes = '' }) => `${acts} ${sometimes}`));
  return {
    unlisted: [...possible].filter((act) => !listed.has(act)).sort(),
    refused: named(({ acts }) => acts)
      .filter((act) => !possible.has(act))
      .sort(),
  };
}
