interface Step {
  name: string;
  command: string[];
  /** It runs only when it is named. */
  onDemand?: boolean;
  /** It belongs to `npm run test:long`, and runs in `npm test` only when it is named. */
  isLong?: boolean;
  /** The arguments that restrict a step to test files with one of these parts in their path. */
  narrow?(parts: string[]): string[];
}

/**
 * The steps that `npm test` runs for its words, or `npm run test:long` (`--long`). A word that names a step
 * chooses it; any other word is part of a test file's path, and restricts the steps with test files to
 * matching ones. A plural finds the singular as well: `invoices` is the name of a feature, and
 * `invoice-detail.test.ts` one of its tests.
 */
export function chooseSteps<S extends Step>(steps: readonly S[], given: readonly string[]): S[] {
  const isLongRun = given.includes('--long');
  const words = given.filter((word) => word !== '--long');
  const isStep = (word: string) => steps.some(({ name }) => name === word);
  const names = words.filter(isStep);
  const parts = words.filter((word) => !isStep(word)).map((word) => word.replace(/s$/, ''));
  const named = steps.filter(({ name, onDemand = false, isLong = false }) =>
    names.length > 0 ? names.includes(name) : !onDemand && isLong === isLongRun,
  );
  if (parts.length === 0) return named;
  return named.flatMap((step) =>
    step.narrow ? [{ ...step, command: [...step.command, ...step.narrow(parts)] }] : [],
  );
}
