/** A reason why the product does not start, in words for the person who typed the command; shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
