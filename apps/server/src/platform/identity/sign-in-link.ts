/** The views of the sign-in page that a token opens. */
type TokenView = 'accept' | 'reset';

/** A link to the sign-in page. The token is in the fragment, so it reaches no server and no log. */
export function signInLink(origin: string, view: TokenView, token: string): string {
  return `${origin}/sign-in#/${view}?token=${token}`;
}
