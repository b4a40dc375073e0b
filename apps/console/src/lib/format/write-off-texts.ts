/** Why what is unpaid is given up: required where another super admin has to approve it. */
export const WRITE_OFF_REASON = {
  hint: 'Kept in the audit. Needed above what one person may write off within 24 hours',
  isOptional: true,
};
