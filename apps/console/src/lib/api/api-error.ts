const NETWORK_MESSAGE = 'Network error: the server could not be reached. Please check your connection.';

interface ApiErrorParts {
  code: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  message: string;
  details?: readonly { path: string; message: string }[];
  requestId?: string | null;
  /** The server sent no text: `message` is one of ours. */
  isWordless?: boolean;
}

/** Every failure of a call, whatever its cause: the text to show, and the code to decide by. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string | null;
  readonly isWordless: boolean;

  constructor({ code, status, message, details = [], requestId = null, isWordless = false }: ApiErrorParts) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.isWordless = isWordless;
  }
}

/** No answer came in time. Its text says "timeout": the text selects the error screen (console spec, section 8). */
export function timeoutError(): ApiError {
  return new ApiError({
    code: 'timeout',
    status: 0,
    message:
      'Network error: timeout. The server did not answer within 10 seconds. Please check your connection and try again.',
  });
}

export function networkError(): ApiError {
  return new ApiError({ code: 'network_error', status: 0, message: NETWORK_MESSAGE });
}

/** Whether the server wants the person to authenticate again first. */
export function isRecentAuthWanted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'reauthentication_required';
}

/** Whether the act needs a second factor, and the account has none. */
export function isFactorMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}

/** Whether another person changed the record after it was loaded. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_meanwhile';
}

/**
 * A call that needs a person was made without a token. The texts are those of the super-admin spec, section 8.
 * @param hasSession whether there is an identity service to ask: it has no token after a sign-out in another tab
 */
export function withoutToken({ code, status, requestId }: ApiError, hasSession: boolean): ApiError {
  const message = hasSession ? 'No authorization token available' : 'User not signed in';
  return new ApiError({ code, status, message, requestId });
}

/** The person closed the dialog. */
export function notConfirmed(): ApiError {
  return new ApiError({
    code: 'not_confirmed',
    status: 403,
    message: 'Nothing was changed, because you did not confirm that it is you. Try again when you are ready.',
  });
}

/** Our servers put a code under `error`; a proxy in between may put prose there. */
const isCode = (text: string) => /^[a-z0-9_.]+$/.test(text);
const textIn = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** Error text in the order of the console spec, section 8: error, message, exception message, "Unknown error". */
export function errorText(body: unknown, exception?: unknown): string {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const error = textIn(fields.error);
  const message = textIn(fields.message);
  const prose = error && isCode(error) && message ? undefined : error;
  return (
    prose ??
    message ??
    (exception instanceof Error && exception.message ? exception.message : 'Unknown error')
  );
}

/** The server's text about a failure, or why it was unreachable; null when it sent none. */
export function serverMessage(error: unknown): string | null {
  if (!(error instanceof Error) || error.message === '') return null;
  return error instanceof ApiError && error.isWordless ? null : error.message;
}

/** Our servers list details by field; the specification also knows them as one text. */
function detailsIn(details: unknown): readonly { path: string; message: string }[] {
  if (Array.isArray(details)) return details;
  const text = textIn(details);
  return text === undefined ? [] : [{ path: '', message: text }];
}

/**
 * The error in an answer, read as JSON; null: it is a success. A failure is a status other than 2xx, or `success: false`
 * whatever the status.
 * @param body null: it cannot be read
 * @param fallback the text of a failure without one
 */
export function errorInAnswer(response: Response, body: unknown, fallback?: string): ApiError | null {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { ok, status, headers } = response;
  if (ok && body !== null && fields.success !== false) return null;
  const wordless = fallback ?? (ok ? UNREADABLE : `The server answered with status ${status}`);
  const hasText = textIn(fields.error) !== undefined || textIn(fields.message) !== undefined;
  return new ApiError({
    code: textIn(fields.error) ?? `http_${status}`,
    status,
    message: errorText(body, new Error(wordless)),
    details: detailsIn(fields.details),
    requestId: headers.get('x-request-id'),
    isWordless: !hasText,
  });
}

const UNREADABLE = 'The server sent an answer that cannot be read';

/** The error for an answer other than 2xx. */
export async function errorFromResponse(response: Response, fallback?: string): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  return errorInAnswer(response, body, fallback) as ApiError;
}

/** Texts of the validation library: they mean little without the name of the field. Ours are whole sentences. */
const NEEDS_FIELD = /^(Invalid|Too|Unrecognized|Expected|Required)\b/;

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  if (isChangedMeanwhile(error))
    return `${errorText(null, error)} It has been reloaded; check it and save again.`;
  const [refused, ...others] = error instanceof ApiError ? error.details : [];
  const isOfField = refused && others.length === 0 && errorText(null, error).startsWith(`${refused.path}: `);
  return isOfField && !NEEDS_FIELD.test(refused.message) ? refused.message : errorText(null, error);
}
