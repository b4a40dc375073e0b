import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem, passwordProblem } from '@copydesk/domain/access';

/** Guesses that find a password of this score or a lower one: fewer than a million (zxcvbn's own scale). */
const COMMON_SCORE = 1;

const loadCommon = async () => {
  // Half a megabyte, for the few calls that set a password.
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const estimate = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password: string) => estimate.check(password).score <= COMMON_SCORE;
};
let common: ReturnType<typeof loadCommon> | null = null;

/** Why a new password is refused; null: it is not, or its length is, which others check. */
export async function findPasswordProblem(
  password: string,
  own: { email: string; name: string },
): Promise<PasswordProblem | null> {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) return null;
  common ??= loadCommon();
  return passwordProblem(password, own, await common);
}

export const PASSWORD_PROBLEMS: Record<PasswordProblem, string> = {
  common:
    'This password is among those that are guessed first. Use several words, or let a password manager make one.',
  own: 'This password is mostly your own address or name, which are guessed first. Use other words, or let a password manager make one.',
};
