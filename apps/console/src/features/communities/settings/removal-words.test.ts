import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { removalProblem } from './removal-words.ts';

const refused = (code: string, message: string, details?: { path: string; message: string }[]) =>
  new ApiError({ code, status: 409, message, ...(details ? { details } : {}) });

test('codes have words of their own', () => {
  expect(removalProblem('archive', refused('community_has_aum', 'x'))).toBe(
    'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  );
  expect(removalProblem('archive', refused('community_has_pending_shares', 'x'))).toContain(
    'still owes shares',
  );
  expect(removalProblem('delete', refused('community_has_traders', 'x'))).toBe(
    'Cannot delete a community with active traders. Please remove all traders first.',
  );
  expect(
    removalProblem(
      'delete',
      refused('delete_community_failed', 'x', [
        { path: 'a', message: 'it has invoices' },
        { path: 'b', message: 'it has payouts' },
      ]),
    ),
  ).toBe('Failed to delete community: it has invoices, it has payouts');
});

test("otherwise the server's text is used, and without one the default", () => {
  expect(removalProblem('archive', refused('other', 'The server says no'))).toBe('The server says no');
  expect(removalProblem('archive', new TypeError('x'))).toBe(
    'Failed to archive community. Please check if the community has zero AUM.',
  );
});
