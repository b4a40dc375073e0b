import { test } from '@playwright/test';

/** Whether people sign in at the hosted service: the same tests then run against a product beside a simulated one. */
export const isHosted = process.env.E2E_IDENTITY === 'hosted';

/** Leaves tests out in hosted mode, with the reason: at the top of a file, in a group, or in a test. */
export function embeddedOnly(reason: string): void {
  test.skip(isHosted, reason);
}
