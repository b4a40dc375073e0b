export interface FuzzAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** The headers of every answer, whichever part of the API wrote it. */
const HEADERS: Record<string, RegExp> = {
  'x-request-id': /^[0-9a-f-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^(DENY|SAMEORIGIN)$/,
  'referrer-policy': /^no-referrer$/,
  'permissions-policy': /camera=\(\)/,
  'content-security-policy': /^(?!.*unsafe-)(?=.*default-src)/,
  'cache-control': /./,
};

/** Answers that are no envelope: documents and streams, when they succeed. */
const NO_ENVELOPE = /^(text\/(csv|event-stream|html|javascript|css)|application\/(javascript|pdf))/;

/** What is wrong with an answer; null: nothing. A failure that the contract declares is an answer, of our own text. */
export function problemOf(
  method: string,
  target: string,
  { status, headers, body }: FuzzAnswer,
): string | null {
  if (status >= 500 && !isDeclared(method, { status, headers, body })) return `answered ${status}`;
  if (codeOf(body) === 'refused_by_rules') return 'a value passed its schema';
  const missing = Object.entries(HEADERS).find(([name, wanted]) => !wanted.test(String(headers[name] ?? '')));
  if (missing) return `header ${missing[0]}: ${headers[missing[0]] ?? 'missing'}`;
  if (method === 'HEAD' || status === 204 || status === 304) return null;
  if (
    status < 300 &&
    (NO_ENVELOPE.test(String(headers['content-type'])) || target.startsWith('/api/openapi.json'))
  )
    return null;
  const envelope = parse(body);
  if (typeof envelope?.success !== 'boolean') return 'no envelope';
  if (envelope.success !== status < 300) return `success: ${envelope.success}`;
  const isWhole =
    envelope.success || (typeof envelope.error === 'string' && typeof envelope.message === 'string');
  return isWhole ? null : 'an error without code or message';
}

/** A 503 that says when to come back, and why; an answer to HEAD has no body. */
const isDeclared = (method: string, { status, headers, body }: FuzzAnswer) =>
  status === 503 && headers['retry-after'] !== undefined && (method === 'HEAD' || codeOf(body) !== null);

/** The code of an error in the envelope; null: there is none. */
export function codeOf(body: string): string | null {
  const { error } = parse(body) ?? {};
  return typeof error === 'string' ? error : null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
