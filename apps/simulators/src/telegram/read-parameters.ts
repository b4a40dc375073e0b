import type { VenueRequest } from '../venues/venue.ts';

export type Parameters = Record<string, unknown>;

/** Parameters of a method: from the query, and from a body of JSON or a form. Null: a body that is neither. */
export function readParameters({ params, headers, body }: VenueRequest): Parameters | null {
  const fromQuery = Object.fromEntries(params);
  if (body === '') return fromQuery;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) };
  if (!type.startsWith('application/json')) return null;
  try {
    const given: unknown = JSON.parse(body);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? { ...fromQuery, ...given }
      : null;
  } catch {
    return null;
  }
}
