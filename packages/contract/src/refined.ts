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
  return schema.refine(holds, { error, path, when: isValid });
}

/** A schema with parts that another schema has the rules of: its issues are reported as they are. It sees valid values. */
export function refinedBy<S extends z.ZodObject>(
  schema: S,
  issuesOf: (value: z.output<S>) => readonly z.core.$ZodIssue[],
): S {
  const report = (value: z.output<S>, { addIssue }: z.core.$RefinementCtx) => {
    for (const issue of issuesOf(value)) addIssue({ ...issue, input: value } as never);
  };
  return schema.superRefine(report as never, { when: isValid });
}

const isValid = ({ issues }: z.core.ParsePayload) => issues.length === 0;
