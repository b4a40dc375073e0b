export interface ApiAnswer {
  status: number;
  body: unknown;
}

export const found = (body: unknown): ApiAnswer => ({ status: 200, body });

export const refuse = (
  status: number,
  error: { type: string; code?: string; message: string; param?: string },
): ApiAnswer => ({ status, body: { error } });

export const missing = (kind: string, id: string): ApiAnswer =>
  refuse(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  });

export const invalid = (message: string, param?: string): ApiAnswer =>
  refuse(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) });

/** A page of a list, newest first, as `starting_after` and `limit` ask. */
export function listAnswer<T extends { id: string }>(
  url: string,
  all: readonly T[],
  query: URLSearchParams,
  objectOf: (one: T) => unknown,
): ApiAnswer {
  const limit = Number(query.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return invalid('This value must be between 1 and 100', 'limit');
  const after = query.get('starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && from === 0) return missing('object', after);
  return found({
    object: 'list',
    data: all.slice(from, from + limit).map(objectOf),
    has_more: all.length > from + limit,
    url,
  });
}
