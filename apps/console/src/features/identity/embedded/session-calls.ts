import { errorFromResponse, networkError } from '../../../lib/api-error.ts';

/**
 * The two calls that every page needs, made without the identity library: it is loaded with the sign-in page
 * and the two-factor dialog only, which keeps its weight off the first screen.
 */
async function send(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(`/api/auth/${path}`, init);
  } catch {
    throw networkError();
  }
}

/** A short-lived token for the API, or null when nobody is signed in. */
export async function fetchToken(): Promise<string | null> {
  const response = await send('token', { cache: 'no-store' });
  if (response.status === 401) return null;
  if (!response.ok) throw await errorFromResponse(response);
  return ((await response.json()) as { token: string }).token;
}

export async function endSession(): Promise<void> {
  const response = await send('sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok && response.status !== 401) throw await errorFromResponse(response);
}
