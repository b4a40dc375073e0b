/** A reason to stop, in words for the person who typed the command; shown without a stack. */
export class PreparationError extends Error {
  name = 'PreparationError';
}
