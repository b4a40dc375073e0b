import { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * The wording of validation messages: `Required` for what is missing, `Expected X, received Y` for a wrong
 * type, `Invalid input` for everything else (console spec, section 8), with the bound where there is one.
 */
function describeIssue(issue: Issue): string {
  if (issue.input === undefined) return 'Required';
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${expected(issue.expected)}, received ${received(issue.input)}`;
    case 'too_big':
      return `Invalid input: at most ${issue.maximum}${unit(issue.origin)}`;
    case 'too_small':
      return `Invalid input: at least ${issue.minimum}${unit(issue.origin)}`;
    default:
      return 'Invalid input';
  }
}

/** Makes the wording the one of this process, for every schema of the contract. */
export function useSpecWording(): void {
  z.config({ customError: describeIssue });
}

function expected(type: string): string {
  return type === 'int' ? 'integer' : type;
}

function received(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return typeof input;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
