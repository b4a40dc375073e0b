export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;
/** Besides words about its owner, a password needs at least this many letters and digits. */
const OTHER_CHARACTERS_MIN = 8;
/** Shorter words are in many passwords by chance. */
const OWN_WORD_MIN = 3;

export type PasswordProblem = 'common' | 'own';

/**
 * Why a new password of a permitted length is refused; null: it is not.
 * @param own address and name of its person
 * @param isCommon whether it is among those that are guessed first
 */
export function passwordProblem(
  password: string,
  own: { email: string; name: string },
  isCommon: (password: string) => boolean,
): PasswordProblem | null {
  let rest = password.toLowerCase();
  const words = `${own.email} ${own.name}`.toLowerCase().split(/[^\p{L}\p{N}]/u);
  for (const word of words.filter(({ length }) => length >= OWN_WORD_MIN).sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(word, '');
  if (rest.replace(/[^\p{L}\p{N}]/gu, '').length < OTHER_CHARACTERS_MIN && rest !== password.toLowerCase())
    return 'own';
  return isCommon(password) ? 'common' : null;
}
