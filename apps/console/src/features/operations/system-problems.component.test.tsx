import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../app/query-client.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import type { Answers } from '../../testing/serve-calls.ts';
import { READS_UNDER_WAY, STAFF, showScreen } from '../../testing/show-screen.tsx';

// What the server says when no worker runs is tested there (tests/start).
const PROBLEM =
  'No worker has reported in the last minute. Accounts are not read, and nothing is invoiced, sent or paid out. Start a worker.';
const READY = 'GET /api/ready';
const DEGRADED: Answers = {
  ...READS_UNDER_WAY,
  [READY]: {
    success: true,
    data: {
      status: 'degraded',
      database: true,
      migrations: true,
      writes: true,
      standbys: 0,
      replicas: [],
      workers: 0,
      audit: 'unchecked',
      problems: [PROBLEM],
    },
  },
};

test('a super admin reads above every screen that no worker runs, and nothing when all is well', async () => {
  const { unmount } = await showScreen('/communities', { answers: DEGRADED });
  await expect.element(page.getByRole('status').filter({ hasText: PROBLEM })).toBeVisible();
  await expectAccessible();
  await unmount();
  queryClient.clear();
  const { server } = await showScreen('/communities', { answers: READS_UNDER_WAY });
  await expect.poll(() => server.sentTo(READY).length).toBe(1);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(page.getByText(PROBLEM)).not.toBeInTheDocument();
});

test('staff neither ask for it nor see it', async () => {
  const { server } = await showScreen('/communities', { user: STAFF, answers: DEGRADED });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(page.getByText(PROBLEM)).not.toBeInTheDocument();
  expect(server.sentTo(READY)).toEqual([]);
});
