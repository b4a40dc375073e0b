/** JSON text that PostgreSQL built in the shape of T, in one part or several. It is sent unchanged. */
export interface JsonText<T> {
  readonly json: readonly string[];
  readonly shape?: T;
}

/** Marks parts of text as JSON of a known shape; the contract tests check such answers against their schema. */
export function jsonText<T>(...json: string[]): JsonText<T> {
  return { json };
}

export function isJsonText(answer: unknown): answer is JsonText<unknown> {
  return Array.isArray((answer as JsonText<unknown>).json);
}

/** The texts of an array's elements with commas between, as parts of a JSON text. */
export function commas(parts: readonly string[]): string[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [',', part]));
}
