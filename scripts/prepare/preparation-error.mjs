/** A reason to stop, worded for the person at the terminal; shown without a stack. */
export class PreparationError extends Error {
  name = 'PreparationError';
}
