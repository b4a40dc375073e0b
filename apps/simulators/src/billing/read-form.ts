/** A value of a form, nested as its keys say: `a[b][0]=c`. */
export type FormValue = string | { [key: string]: FormValue };

/** Reads a form as the vendor does. */
export function readForm(text: string): { [key: string]: FormValue } {
  const read: { [key: string]: FormValue } = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]/).filter((part) => part !== '');
    const last = path.pop();
    if (last === undefined) continue;
    let at = read;
    for (const part of path) {
      const next = at[part];
      if (typeof next === 'object') at = next;
      else {
        const made: { [key: string]: FormValue } = Object.create(null);
        at[part] = made;
        at = made;
      }
    }
    at[last] = value;
  }
  return read;
}

export const textOf = (value: FormValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const partOf = (value: FormValue | undefined): { [key: string]: FormValue } =>
  typeof value === 'object' ? value : {};

/** The texts of a map, such as metadata. */
export const textsOf = (value: FormValue | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(partOf(value)).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  );
