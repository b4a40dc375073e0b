/** A parameter that is a whole number of at least 0; undefined: not given; null: given, but invalid. */
export function integerOf(params: URLSearchParams, name: string): number | null | undefined {
  const text = params.get(name);
  if (text === null || text === '') return undefined;
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}
