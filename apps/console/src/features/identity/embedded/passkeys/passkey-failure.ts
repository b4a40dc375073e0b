import { ApiError } from '../../../../lib/api/api-error.ts';

/** By the name of a browser's error, or the code of the identity library's. */
const TEXTS: Record<string, string> = {
  NotAllowedError: 'Cancelled, or it took too long. Try again when you are ready.',
  AbortError: 'Cancelled. Try again when you are ready.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device supports none of the passkeys that Copydesk accepts.',
  ConstraintError:
    'This device cannot check that it is you. Set up a PIN, a fingerprint or a face on it first.',
  SecurityError: 'Passkeys do not work at this address. Open Copydesk at its usual address.',
  PASSKEY_NOT_FOUND:
    'This passkey belongs to no account here. It may have been removed; sign in with your password.',
  CHALLENGE_NOT_FOUND: 'That took too long. Please try again.',
  AUTHENTICATION_FAILED: 'This passkey was not accepted. Please try again.',
};

/** The failure of a browser, a device or the library in words of ours; other errors unchanged. */
export function passkeyFailure(error: unknown): unknown {
  const isAnswer = error instanceof ApiError;
  // The library of the browser's calls wraps its errors, and keeps their names.
  const code = isAnswer ? error.code : error instanceof Error ? error.name : '';
  const message = TEXTS[code];
  return message === undefined ? error : new ApiError({ code, status: isAnswer ? error.status : 0, message });
}

/** An IPv4 or IPv6 address, which browsers accept for no passkey. */
const IP_ADDRESS = /^\[|^[\d.]+$/;

/** Whether this browser can use passkeys at this address. It needs HTTPS, or `localhost`. */
export function canUsePasskeys({ hostname } = window.location): boolean {
  return typeof window.PublicKeyCredential === 'function' && !IP_ADDRESS.test(hostname);
}
