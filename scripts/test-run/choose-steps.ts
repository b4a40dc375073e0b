interface Step {
  name: string;
  command: string[];
  /** The arguments with which a step runs the test files alone whose paths have one of these parts. */
  narrow?(parts: string[]): string[];
}

/**
 * What `npm test` runs for its words. A word that names a step chooses that step; any other word is a part of the paths
 * of test files, and narrows the steps that run test files to those. A plural finds the singular as well: `invoices` is
 * the name of a feature, and `invoice-detail.test.ts` one of its tests.
 */
export function chooseSteps<S extends Step>(steps: readonly S[], words: readonly string[]): S[] {
  const isStep = (word: string) => steps.some(({ name }) => name === word);
  const names = words.filter(isStep);
  const parts = words.filter((word) => !isStep(word)).map((word) => word.replace(/s$/, ''));
  const named = steps.filter(({ name }) => names.length === 0 || names.includes(name));
  if (parts.length === 0) return named;
  return named.flatMap((step) =>
    step.narrow ? [{ ...step, command: [...step.command, ...step.narrow(parts)] }] : [],
  );
}
