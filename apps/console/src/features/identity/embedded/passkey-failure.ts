import { ApiError } from '../../../lib/api-error.ts';

const TEXTS: Record<string, string> = {
  NotAllowedError: 'Cancelled, or it took too long. Nothing was changed; try again when you are ready.',
  AbortError: 'Cancelled. Nothing was changed; try again when you are ready.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device supports none of the passkeys that Copydesk accepts.',
  ConstraintError:
    'This device cannot check that it is you. Set up a PIN, a fingerprint or a face on it first.',
  SecurityError: 'Passkeys do not work at this address. Open Copydesk at its usual address.',
};

/** The failure of a browser or a device in words of ours; other errors unchanged. */
export function passkeyFailure(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  // The library wraps the browser's error, and keeps its name.
  const name = error instanceof Error ? error.name : '';
  const text = TEXTS[name];
  return text === undefined ? error : new ApiError({ code: name, status: 0, message: text });
}
