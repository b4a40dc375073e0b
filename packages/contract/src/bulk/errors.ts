/** Refusals that only calls of this feature return. */
export const bulkErrors = {
  bulk_selection_changed: {
    status: 409,
    message: 'The selected traders have changed. Please review them again.',
  },
  bulk_too_many: {
    status: 422,
    message: 'More than 10,000 traders cannot be selected at once. Please narrow the filters.',
  },
  bulk_unfinished: {
    status: 409,
    message: 'Three of your bulk acts are not finished. Wait for one or stop it, then try again.',
  },
  bulk_ended: { status: 409, message: 'This bulk act has ended already' },
  bulk_nothing_failed: { status: 409, message: 'This bulk act is not finished, or nothing of it failed' },
} as const;
