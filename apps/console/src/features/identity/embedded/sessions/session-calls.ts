import { errorFromResponse, networkError } from '../../../../lib/api/api-error.ts';
import { readChoice, rememberChoice } from '../../../../lib/stored-choice.ts';

/** Stored while a person is signed in on this machine, as far as the console knows. */
const SIGNED_IN_KEY = 'signedIn';

/**
 * The calls that every page needs, made without the identity library. The library loads only with the sign-in page and
 * the two-factor dialog, which keeps its weight off the first screen.
 */
async function send(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(`/api/auth/${path}`, init);
  } catch {
    throw networkError();
  }
}

/**
 * A short-lived token for the API, or null when signed out.
 * @param idleMs how long ago the last input was: the session ends two hours after it
 */
export async function fetchToken(idleMs: number): Promise<string | null> {
  // A refused token is an error in the browser's console; this check avoids that for visitors without a session.
  if (readChoice(SIGNED_IN_KEY) === null && !(await hasSession())) return null;
  const headers = { 'x-last-input': String(Math.floor(idleMs / 1000)) };
  const response = await send('token', { cache: 'no-store', headers });
  if (response.status === 401) {
    rememberChoice(SIGNED_IN_KEY, null);
    return null;
  }
  if (!response.ok) throw await errorFromResponse(response);
  rememberChoice(SIGNED_IN_KEY, 'true');
  return ((await response.json()) as { token: string }).token;
}

async function hasSession(): Promise<boolean> {
  const response = await send('get-session', { cache: 'no-store' });
  if (!response.ok) throw await errorFromResponse(response);
  return (await response.json()) !== null;
}

export async function endSession(): Promise<void> {
  const response = await send('sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok && response.status !== 401) throw await errorFromResponse(response);
  rememberChoice(SIGNED_IN_KEY, null);
}
