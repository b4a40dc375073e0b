import { expect, test } from 'vitest';
import { ApiError, errorFromResponse } from '../../../lib/api/api-error.ts';
import { removalProblem } from './removal-texts.ts';

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

test('details that are one text are said, and an answer without a text has the default', async () => {
  const answer = (body: object | string, status: number) =>
    errorFromResponse(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));
  const body = { success: false, error: 'delete_community_failed', details: 'it has invoices' };
  expect(removalProblem('delete', await answer(body, 409))).toBe(
    'Failed to delete community: it has invoices',
  );
  expect(removalProblem('archive', await answer('<html>', 502))).toBe(
    'Failed to archive community. Please check if the community has zero AUM.',
  );
});

test("otherwise the server's text is used, and without one the default", () => {
  expect(removalProblem('archive', refused('other', 'The server says no'))).toBe('The server says no');
  expect(removalProblem('archive', new TypeError('x'))).toBe(
    'Failed to archive community. Please check if the community has zero AUM.',
  );
});
