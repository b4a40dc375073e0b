import { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];
/** An issue of a union option, a key or an element: it already has its message and no longer its input. */
type NestedIssue = z.core.$ZodIssue;

/** Maximum length of a wrong value that a message repeats. */
const MAX_REPEATED_CHARS = 40;

/**
 * The wording of validation messages: `Required` for a missing value, `Expected X, received Y` for a wrong type or a
 * value that is not on a list, `Invalid input` for everything else (console spec, section 8), with the bound where
 * there is one.
 */
function describeIssue(issue: Issue): string {
  if (issue.input === undefined) return 'Required';
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${expectedType(issue.expected)}, received ${typeOf(issue.input)}`;
    case 'invalid_value':
      return `Expected ${listed(issue.values)}, received ${shownValue(issue.input, issue.values)}`;
    case 'invalid_union':
      return describeUnion(issue.errors, issue.input);
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'Invalid input';
    case 'too_big':
      return `Invalid input: at most ${issue.maximum}${unit(issue.origin)}`;
    case 'too_small':
      return `Invalid input: at least ${issue.minimum}${unit(issue.origin)}`;
    default:
      return 'Invalid input';
  }
}

/** Installs the wording in this process, for every schema of the contract. */
export function useSpecWording(): void {
  z.config({ customError: describeIssue });
}

/** The message of the one option that accepts this type of value; without such an option, a list of the options. */
function describeUnion(options: readonly (readonly NestedIssue[])[], input: unknown): string {
  const taking = options.filter(([issue]) => issue && !isMismatch(issue));
  if (taking.length > 1) return 'Invalid input';
  const [issue] = taking[0] ?? [];
  if (issue) return issue.path.length === 0 ? issue.message : 'Invalid input';
  const mismatches = options.flatMap(([first]) => (first && isMismatch(first) ? [first] : []));
  if (mismatches.length === 0) return 'Invalid input';
  const types = mismatches.flatMap((first) =>
    first.code === 'invalid_type' ? [expectedType(first.expected)] : [],
  );
  const values = mismatches
    .flatMap((first) => (first.code === 'invalid_value' ? first.values : []))
    .filter((value) => !types.includes(typeOf(value)));
  const expected = [...new Set([...types, ...(values.length > 0 ? [listed(values)] : [])])].join(' | ');
  return `Expected ${expected}, received ${shownValue(input, values)}`;
}

/** Whether the value as a whole has another type, or is not on the list. */
function isMismatch(issue: NestedIssue): issue is z.core.$ZodIssueInvalidType | z.core.$ZodIssueInvalidValue {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function expectedType(type: string): string {
  if (type === 'int') return 'integer';
  return type === 'record' ? 'object' : type;
}

function typeOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return typeof input;
}

/** The wrong value if its type is right and it is short, else its type. */
function shownValue(input: unknown, values: readonly z.core.util.Primitive[]): string {
  // Only values of the types that the list has: an object may have a `toString` that is none, and then has no text.
  if (!isPrimitive(input) || !values.some((value) => typeOf(value) === typeOf(input))) return typeOf(input);
  const text = quoted(input);
  return text.length <= MAX_REPEATED_CHARS ? text : typeOf(input);
}

const isPrimitive = (input: unknown): input is z.core.util.Primitive =>
  input === null || (typeof input !== 'object' && typeof input !== 'function');

function listed(values: readonly z.core.util.Primitive[]): string {
  return values.map(quoted).join(' | ');
}

function quoted(value: z.core.util.Primitive): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
