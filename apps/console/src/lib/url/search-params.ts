/** Search parameters as plain strings. The router's default reads them as JSON, which turns "0042" into 42. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value);
  }
  return params.size > 0 ? `?${params}` : '';
}

/** The value when it is allowed, else undefined: the screen works with any URL. */
export function oneOf<const T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((option) => option === value);
}

export function text(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the API refuses them
  const trimmed = value.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return trimmed === '' ? undefined : trimmed.slice(0, maxLength);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function uuid(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}

/** A path of our own to open after sign-in; a path that could lead to another site is dropped. */
export function localPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || /^\/[/\\]/.test(value)) return undefined;
  return value.startsWith('/sign-in') ? undefined : value;
}
