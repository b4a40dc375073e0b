/** Refusals that only calls of this feature return. */
export const noteErrors = {
  note_of_another: { status: 409, message: 'Only its author changes a note' },
  note_reader_unknown: {
    status: 409,
    message: 'Somebody whom this note mentions cannot read it. Please choose again.',
  },
} as const;
