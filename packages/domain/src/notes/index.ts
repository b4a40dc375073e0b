/** What people write notes about. */
export const NOTE_SUBJECTS = ['trader', 'invoice', 'payout', 'pool'] as const;
export type NoteSubject = (typeof NOTE_SUBJECTS)[number];

/** Characters. Longer texts belong in a document. */
export const NOTE_LENGTH = 2_000;
/** People whom one note asks to look. */
export const MENTIONS_MOST = 20;
