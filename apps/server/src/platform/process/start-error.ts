/**
 * A process cannot start for a reason that the operator can mend. The message names the setting and never its value; it
 * is all that the log says, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
