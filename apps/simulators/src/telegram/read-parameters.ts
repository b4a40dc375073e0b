import type { VenueRequest } from '../venues/venue.ts';

/** By name; an uploaded file is its bytes. */
export type Parameters = Record<string, unknown>;

/** Parameters of a method: from the query, and from a body of JSON or a form. Null: a body that is neither. */
export async function readParameters({
  params,
  headers,
  body,
  bytes,
}: VenueRequest): Promise<Parameters | null> {
  const fromQuery = Object.fromEntries(params);
  if (body === '') return fromQuery;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) };
  try {
    if (type.startsWith('multipart/form-data')) return { ...fromQuery, ...(await readForm(type, bytes)) };
    if (!type.startsWith('application/json')) return null;
    const given: unknown = JSON.parse(body);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? { ...fromQuery, ...given }
      : null;
  } catch {
    return null;
  }
}

async function readForm(type: string, bytes: Buffer | undefined): Promise<Parameters> {
  const form = await new Response(new Uint8Array(bytes ?? []), {
    headers: { 'content-type': type },
  }).formData();
  const given: Parameters = {};
  for (const [name, value] of form)
    given[name] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());
  return given;
}

/** A parameter as text: JSON may give a number, and a form never does. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** A whole number, in JSON or a form. */
export const integerOf = (value: unknown, otherwise: number): number => {
  const number = Number(textOf(value) ?? otherwise);
  return Number.isInteger(number) ? number : otherwise;
};

/** A list of texts, which a form gives as JSON; null: none was given. */
export function textsOf(value: unknown): string[] | null {
  try {
    const given: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(given) ? given.map(String) : null;
  } catch {
    return null;
  }
}
