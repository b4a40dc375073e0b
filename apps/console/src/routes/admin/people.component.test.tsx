import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { READS_UNDER_WAY, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const PERSON = 'GET /api/users/{id}';
const CALLS = 'GET /api/access/calls';
const LOG = 'GET /api/audit/refusals';
type Person = CallAnswer<typeof PERSON>['data'];

const AT = '2026-01-02T10:00:00.000Z';
const personOf = (changes: Partial<Person> = {}): Person => ({
  id: 'super-2',
  email: 'second@example.com',
  name: 'Second Super Admin',
  admin: true,
  super: true,
  provider_access: [],
  staff_roles: {},
  disabled: false,
  two_factor_enabled: true,
  active: true,
  confirmed: false,
  confirmed_at: null,
  confirmed_by: null,
  invited_by: null,
  created_at: AT,
  last_seen_at: null,
  version: '0123456789abcdef',
  invitation_expires_at: null,
  failed_mail: null,
  sessions: [],
  sponsors: [],
  sponsored: [],
  ...changes,
});
const showPerson = (person: Person) =>
  showScreen(`/people/${person.id}`, {
    answers: { ...READS_UNDER_WAY, [PERSON]: { success: true, data: person } },
  });

test('a person who does not exist is not found', async () => {
  await showScreen('/people/nobody', {
    answers: { ...READS_UNDER_WAY, [PERSON]: refuse(404, 'not_found', 'Not found') },
  });
  await expect.element(page.getByRole('heading', { name: 'Person Not Found' })).toBeVisible();
});

test('a super admin confirms another one, but not themselves', async () => {
  const access = page.getByRole('region', { name: 'Access' });
  const { unmount } = await showPerson(personOf());
  await expect.element(access.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await expect.element(access.getByRole('button', { name: 'Remove second factor' })).toBeVisible();
  await expectAccessible();
  await unmount();
  await showPerson(
    personOf({
      id: SUPER_ADMIN.id,
      confirmed_at: AT,
      sessions: [
        { id: '1', started_at: AT, expires_at: null, address: '127.0.0.1', browser: 'Mozilla', is_own: true },
      ],
    }),
  );
  await expect.element(access).toHaveTextContent('by an operator of the server');
  await expect.element(page.getByText('This one')).toBeVisible();
  expect(access.getByRole('button', { name: 'Confirm' }).elements()).toEqual([]);
  expect(access.getByRole('button', { name: 'Remove second factor' }).elements()).toEqual([]);
});

const ROLES: CallAnswer<typeof CALLS> = {
  success: true,
  data: [
    {
      call: 'POST /api/exchanges/{exchange}/{id}/exchange/reveal',
      summary: 'Reveals a secret',
      permission: 'staff',
      capability: 'secrets:reveal',
      service_scope: null,
      recent_auth_fields: null,
      second_factor: true,
    },
    {
      call: 'GET /api/traders/export',
      summary: 'The traders as CSV',
      permission: 'staff',
      capability: 'traders:read',
      service_scope: null,
      recent_auth_fields: [],
      second_factor: false,
    },
  ],
};
const matrix = page.getByRole('region', { name: 'Roles and capabilities' });

test('the roles of staff, and what every call needs, are on one page', async () => {
  await showScreen('/roles', { answers: { ...READS_UNDER_WAY, [CALLS]: ROLES } });
  const cells = matrix.getByRole('row', { name: /^Change traders/ }).getByRole('cell');
  await expect.element(cells.first()).toBeVisible();
  expect(cells.elements().map((cell) => /Yes|No/.exec(cell.textContent)?.[0])).toEqual([
    'No',
    'No',
    'Yes',
    'Yes',
    'Yes',
    'Yes',
  ]);
  const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
  await expect.poll(() => rows.elements()).toHaveLength(3);
  await expectAccessible();
  await page.getByRole('button', { name: 'Search calls' }).click();
  const search = page.getByRole('searchbox', { name: 'Search calls' });
  await search.fill('exchange/reveal');
  await expect.poll(() => rows.elements()).toHaveLength(2);
  await expect.element(rows.nth(1)).toHaveTextContent('Staff who may reveal secrets');
  await search.fill('no such call');
  await expect.element(page.getByText('No calls found')).toBeVisible();
});

test('on a phone the matrix of roles scrolls, and the page does not', async () => {
  await showScreen('/roles', {
    width: 390,
    height: 844,
    answers: { ...READS_UNDER_WAY, [CALLS]: ROLES },
  });
  await expect
    .element(matrix.getByRole('row', { name: /^Change traders/ }))
    .toHaveTextContent('payout address');
  await expect.element(page.getByText('/traders/export').first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  const { scrollWidth, clientWidth } = matrix.element();
  expect(scrollWidth).toBeGreaterThan(clientWidth);
});

test('a security log that failed to load says so, and is read again', async () => {
  const { server } = await showScreen('/audit?view=security', {
    answers: { ...READS_UNDER_WAY, [LOG]: refuse(500, 'internal_error', 'Broken') },
  });
  const failed = page.getByRole('heading', { name: 'The security log could not be loaded' });
  await expect.element(failed).toBeVisible();
  server.answer({
    [LOG]: {
      success: true,
      data: [],
      meta: { total: 0, is_total_capped: false, next_cursor: null, unlisted: [] },
    },
  });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(failed).not.toBeInTheDocument();
  await expect.element(page.getByText('No refused attempts')).toBeVisible();
});
