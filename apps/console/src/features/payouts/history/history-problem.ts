import { ApiError, messageOf } from '../../../lib/api/api-error.ts';

/** The error screen of a failed load: by status, else by the text (console spec, section 8). */
export function payoutsProblem(error: unknown): { title: string; message: string } {
  const message = messageOf(error);
  const status = error instanceof ApiError ? error.status : null;
  const text = error instanceof ApiError ? `${error.code} ${message}` : message;
  if (status === 401 || status === 403 || /401|403|not authenticated/i.test(text)) {
    return {
      title: 'Authentication Error',
      message: "You don't have permission to view this data. Please check your account permissions.",
    };
  }
  if (status === 404 || status === 0 || /404|network error|timeout/i.test(text)) {
    return {
      title: 'Connection Error',
      message: 'Unable to connect to the server. Please check your internet connection and try again.',
    };
  }
  return { title: 'Error loading sweep operations', message };
}
