const SLOWEST = 10;

/**
 * The seconds of each step, and the test files that took longest. Files of a step run side by side: their sum is more
 * than the step's time.
 *
 * @param seconds of the steps that ran, by their names
 * @param filesOf the test files of a step, with their seconds
 */
export function timeTable(
  seconds: ReadonlyMap<string, number>,
  filesOf: (step: string) => readonly { file: string; seconds: number }[],
): string {
  const steps = [...seconds].map(([name, taken]) => line(taken, name));
  const slowest = [...seconds.keys()]
    .flatMap((step) => filesOf(step).map((each) => ({ ...each, step })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ seconds: taken, file, step }) => line(taken, `${file} (${step})`));
  const files = slowest.length > 0 ? ['Slowest files:', ...slowest] : [];
  return ['Seconds of the steps:', ...steps, ...files].join('\n');
}

const line = (taken: number, what: string) => `${taken.toFixed(0).padStart(6)}  ${what}`;
