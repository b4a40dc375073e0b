const MOST_LETTERS = 300;

/**
 * What a server of the chain said, in one line for screens and rows: its own words where the error has them. Without
 * addresses of servers, which may contain a key.
 */
export function serverSentence(error: unknown): string {
  const { details, shortMessage, message } = (error ?? {}) as Partial<
    Record<'details' | 'shortMessage' | 'message', unknown>
  >;
  const [said = ''] = [details, shortMessage, message].filter(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  const [line = ''] = said.trim().split('\n', 1);
  const shown = line.replaceAll(/\w+:\/\/\S+/g, '(address)').replaceAll(/\p{C}+/gu, ' ');
  return shown.slice(0, MOST_LETTERS).trim() || 'no reason given';
}
