/** Refusals that only calls of this feature return. */
export const invoiceErrors = {
  credit_changed: { status: 409, message: 'This credit has changed. Please look at it again.' },
  credit_not_on_chain: {
    status: 409,
    message: 'No deposit on chain is behind this credit, so there is nothing that can be sent back',
  },
  nothing_paid_yet: {
    status: 409,
    message: 'This trader has paid no invoice on chain yet, so there is none that a tip could be on',
  },
  documents_busy: {
    status: 503,
    message: 'Too many documents are being written. Please try again in a moment.',
  },
  nothing_to_deduct: {
    status: 409,
    message: 'This invoice charged nothing too much that was not deducted already',
  },
  invoice_of_pool: {
    status: 409,
    message: 'A pool pays this invoice: it is neither marked by hand nor archived before that',
  },
  invoice_not_recallable: {
    status: 409,
    message: 'This invoice cannot be recalled any more',
  },
  strangers_together: {
    status: 422,
    message: 'Traders without a reference number are unrelated. Select the invoices of one trader at a time.',
  },
  selection_changed: {
    status: 409,
    message: 'The selected invoices have changed. Please review them again.',
  },
  run_not_draft: {
    status: 409,
    message: 'This run is no longer a draft: it was sent or discarded meanwhile',
  },
  run_changed: {
    status: 409,
    message: 'What this run would send has changed. Please look at it again.',
  },
  nothing_unpaid: { status: 409, message: 'This trader has no unpaid invoices' },
} as const;
