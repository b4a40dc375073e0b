import { createAuthClient } from 'better-auth/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { ApiError, networkError } from '../../../lib/api/api-error.ts';
import { requireOwnSession } from './sessions/own-session.ts';

export const authClient = createAuthClient({
  baseURL: window.location.origin,
  basePath: '/api/auth',
  plugins: [twoFactorClient()],
  // The console follows the session itself, so the library's polling and focus listeners are off.
  fetchOptions: { onRequest: () => requireOwnSession() },
  sessionOptions: { refetchOnWindowFocus: false },
});

interface Answer<T> {
  data: T | null;
  error: { message?: string | undefined; code?: string | undefined; status: number } | null;
}

/** The library returns errors as values; the rest of the console throws them. */
export async function unwrap<T>(answer: Promise<Answer<T>>): Promise<T> {
  let settled: Answer<T>;
  try {
    settled = await answer;
  } catch (error) {
    throw error instanceof ApiError ? error : networkError();
  }
  const { data, error } = settled;
  if (error || data === null) {
    const status = error?.status ?? 0;
    const message =
      status === 429 ? 'Too many attempts. Please wait a moment and try again.' : error?.message;
    throw new ApiError({ code: error?.code ?? 'unknown', status, message: message ?? 'Unknown error' });
  }
  return data;
}
