import type { z } from 'zod';

/** What is wrong with the text of a variable, for operators and without the text itself: it may be a secret. */
export function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `needs ${issue.minimum} characters or more`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `may have ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_format':
    case 'invalid_union':
      return 'has a wrong form: see docs/operations/configuration.md';
    default:
      return undefined;
  }
}
