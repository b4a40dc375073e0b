import type { z } from 'zod';

/** The issue of a value that breaks a rule. */
interface Broken {
  error: string;
  /** The field that is reported; without one it is the value itself. */
  path?: string[];
}

/**
 * A schema with a rule between the parts of a value, or within a text. Zod runs a rule of its own even after a pattern
 * or a bound has failed, so such a rule meets values that it was never written for. This one sees valid values only.
 */
export function refined<S extends z.ZodType>(
  schema: S,
  holds: (value: z.output<S>) => boolean,
  { error, path }: Broken = { error: 'Invalid input' },
): S {
  return schema.refine(holds, { error, path, when: ({ issues }) => issues.length === 0 });
}
