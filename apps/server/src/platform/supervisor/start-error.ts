/** A reason why the product does not start, worded for the person at the terminal; shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
