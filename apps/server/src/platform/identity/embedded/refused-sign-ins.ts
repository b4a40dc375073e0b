import { AsyncLocalStorage } from 'node:async_hooks';
import type { RefusalCode } from '@copydesk/contract/audit';
import { SIGN_IN_CALLS } from '@copydesk/domain/access';
import type { Statements } from '../../db/statements.ts';
import type { OnRefusedSignIn } from '../identity.ts';

/** The account that an attempt is about, as the attempt names it. */
type Attempted = { email: string } | { userId: string };

const attempts = new AsyncLocalStorage<{ account: Attempted | null }>();

/** Notes whose account the present request is about, in case that it is refused. */
export function recordAttempted(account: Attempted): void {
  const attempt = attempts.getStore();
  if (attempt) attempt.account = account;
}

/** Codes of the library and ours. Codes that are missing here are no refusals, such as that of an invalid input. */
const REFUSALS: Record<string, RefusalCode | { signIn: RefusalCode; session: RefusalCode }> = {
  INVALID_EMAIL_OR_PASSWORD: 'wrong_password',
  INVALID_PASSWORD: 'reauthentication_failed',
  INVALID_CODE: { signIn: 'wrong_code', session: 'reauthentication_failed' },
  INVALID_BACKUP_CODE: { signIn: 'wrong_code', session: 'reauthentication_failed' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'too_many_attempts',
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many_attempts',
  TOO_MANY_ATTEMPTS: 'too_many_attempts',
  CODE_USED: { signIn: 'code_used', session: 'reauthentication_code_used' },
  ACCOUNT_DISABLED: 'account_disabled',
  PASSKEY_REQUIRED: 'passkey_refused',
  PASSKEY_NOT_FOUND: 'passkey_refused',
  PASSKEY_NOT_VERIFIED: 'passkey_refused',
  PASSKEY_NOT_ACCEPTED: 'passkey_refused',
  AUTHENTICATION_FAILED: 'passkey_refused',
  INVALID_ORIGIN: 'foreign_origin',
  MISSING_OR_NULL_ORIGIN: 'foreign_origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'foreign_origin',
};

/**
 * Answers a request and reports a refusal. Every refusal passes here: the library has some before its hooks
 * run, and some of our hooks end a request before the hook that follows it.
 */
export async function reportRefusal(
  request: Request,
  answer: () => Promise<Response>,
  { statements, onRefused }: { statements: Statements; onRefused: OnRefusedSignIn },
): Promise<Response> {
  const attempt = { account: null as Attempted | null };
  const response = await attempts.run(attempt, answer);
  const { pathname } = new URL(request.url);
  const code = response.ok ? null : codeOf(pathname, response.status, await libraryCode(response));
  if (code) {
    const { account } = attempt;
    onRefused({
      code,
      call: `${request.method} ${pathname}`,
      findAccount: async () => account && findAccount(statements, account),
    });
  }
  return response;
}

function codeOf(path: string, status: number, code: string): RefusalCode | null {
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  // The library's own limit has no code.
  if (!refusal) return status === 429 ? 'rate_limited' : null;
  if (typeof refusal === 'string') return refusal;
  // The other calls need a session, and ask its person for a proof.
  return SIGN_IN_CALLS.includes(`POST ${path}`) ? refusal.signIn : refusal.session;
}

async function libraryCode(response: Response): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
}

/** The account behind an attempt: its stored address, never the typed one, which may be a password. */
async function findAccount(statements: Statements, account: Attempted) {
  const [condition, value] =
    'email' in account ? ['u.email = $1', account.email] : ['u.id = $1::uuid', account.userId];
  const { rows } = await statements.query<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM identity."user" u WHERE ${condition}`,
    [value],
  );
  return rows[0] ?? null;
}
