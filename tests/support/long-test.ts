import { inject, test } from 'vitest';

/** Whether this is `npm run test:long`, where searches take their time. Their files run in `npm test` as well. */
export const isLong = inject('isLong');

/** A test for `npm run test:long` alone, in a file of which `npm test` runs the rest. */
export const longTest = test.runIf(isLong);
