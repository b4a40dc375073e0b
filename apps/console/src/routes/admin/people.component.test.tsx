import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const PERSON = 'GET /api/users/{id}';
const CALLS = 'GET /api/access/calls';
const LOG = 'GET /api/audit/refusals';
const PEOPLE = 'GET /api/users';
const WAITLIST = 'GET /api/waitlist';
const INVITE = 'POST /api/users/invitations';
const COUNTS = 'GET /api/audit/refusals/counts';
type Person = CallAnswer<typeof PERSON>['data'];
type Attempt = CallAnswer<typeof LOG>['data'][number];

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
const showPerson = (person: Person, answers: Answers = {}) =>
  showScreen(`/people/${person.id}`, {
    answers: { ...READS_UNDER_WAY, [PERSON]: { success: true, data: person }, ...answers },
  });

const AURORA = {
  id: idOf(900),
  name: 'aurora',
  display_name: 'Aurora Signals',
  payment_split_percentage: 0.35,
  supported_exchanges: [],
  is_active: true,
  invoicing_enabled: true,
};
const PROVIDERS: Answers = { 'GET /api/providers': { success: true, data: [AURORA] } };
const dialog = page.getByRole('dialog');

test('a person is invited with a role at a provider; the list and the waitlist show who waits', async () => {
  const waiting = {
    id: idOf(2),
    email: 'asta@example.com',
    name: 'Asta Asks',
    note: 'Support of Aurora',
    state: 'waiting' as const,
    joined_at: AT,
    decided_at: null,
    decided_by: null,
    has_account: false,
  };
  const { server } = await showScreen('/people', {
    answers: {
      ...READS_UNDER_WAY,
      ...PROVIDERS,
      [PEOPLE]: {
        success: true,
        data: [personOf(), personOf({ id: '3', super: false, active: false, email: 'carla@example.com' })],
        meta: { total: 2 },
      },
      [WAITLIST]: { success: true, data: [waiting], meta: { total: 1 } },
      [INVITE]: {
        success: true,
        data: {
          id: '4',
          e_mailed: false,
          is_waiting: false,
          link: 'https://console.example/sign-in#/accept',
        },
      },
    },
  });
  const rows = page.getByRole('table', { name: 'People' }).getByRole('row');
  await expect.element(rows.filter({ hasText: 'carla@example.com' })).toHaveTextContent('Invited');
  await expect.element(rows.filter({ hasText: 'carla@example.com' })).toHaveTextContent('No provider');
  const asks = page
    .getByRole('table', { name: 'Waitlist' })
    .getByRole('row')
    .filter({ hasText: waiting.email });
  await expect.element(asks).toHaveTextContent('Support of Aurora');
  await expectAccessible();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const invite = dialog.getByRole('button', { name: 'Invite', exact: true });
  await invite.click();
  await expect.element(dialog).toHaveTextContent('Enter an e-mail address');
  expect(server.sentTo(INVITE)).toEqual([]);
  await dialog.getByLabelText('E-mail').fill('vera@example.com');
  await dialog.getByLabelText('Aurora Signals', { exact: true }).click();
  await dialog.getByLabelText('Role at Aurora Signals').selectOptions('Viewer');
  await expectAccessible();
  await invite.click();
  await expect.element(dialog).toHaveTextContent('It is shown once, works once, and ends in 48 hours.');
  expect(server.sentTo(INVITE).map(({ body }) => body)).toMatchObject([
    {
      email: 'vera@example.com',
      super: false,
      provider_access: [AURORA.id],
      staff_roles: { [AURORA.id]: 'viewer' },
    },
  ]);
});

test('the page of a person has roles, rights, sessions, invitations and refused attempts', async () => {
  await showPerson(
    personOf({
      super: false,
      provider_access: [AURORA.id],
      staff_roles: { [AURORA.id]: 'owner' },
      sessions: [
        {
          id: '1',
          started_at: AT,
          expires_at: null,
          address: '127.0.0.1',
          browser: 'Mozilla',
          is_own: false,
        },
      ],
      sponsors: [{ act: 'invited', at: AT, by: 'super@example.com' }],
    }),
    {
      ...PROVIDERS,
      [COUNTS]: {
        success: true,
        data: [
          { kind: 'access', count: 2, last_at: AT },
          { kind: 'authentication', count: 1, last_at: AT },
        ],
      },
    },
  );
  const region = (name: string | RegExp) => page.getByRole('region', { name });
  await expect.element(region('Rights')).toHaveTextContent('Owner of Aurora Signals');
  await expect.element(region(/^Sessions/)).toHaveTextContent('Mozilla');
  await expect.element(region('Invitations')).toHaveTextContent('Invited by super@example.com');
  await expect.element(region(/^Refused Attempts/)).toHaveTextContent('Access denied');
  await expect.element(region(/^Refused Attempts/)).toHaveTextContent('Sign-in refused');
  await expectAccessible();
});

test('a token for a program needs a name, and a life of at most a year', async () => {
  await showScreen('/service-tokens', {
    answers: { ...READS_UNDER_WAY, ...PROVIDERS, 'GET /api/service-tokens': { success: true, data: [] } },
  });
  await page.getByRole('button', { name: 'New token' }).first().click();
  const create = dialog.getByRole('button', { name: 'Create token' });
  await create.click();
  await expect.element(dialog).toHaveTextContent('Enter a name');
  await dialog.getByLabelText('Name').fill('Reporting');
  await dialog.getByLabelText('Read traders, balances and positions').click();
  await dialog.getByLabelText('Aurora Signals').click();
  await dialog.getByLabelText('Life (days)').fill('400');
  await create.click();
  await expect.element(dialog).toHaveTextContent('Enter a life of 1 to 365 days');
  await expectAccessible();
});

test('an owner sees the staff of the provider', async () => {
  await showScreen('/team', {
    user: STAFF,
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/providers/{id}/people': {
        success: true,
        data: [
          {
            id: 'vera',
            name: 'Vera Viewer',
            email: 'vera@example.com',
            role: 'viewer',
            disabled: false,
            active: true,
            two_factor_enabled: false,
            last_seen_at: AT,
          },
        ],
      },
    },
  });
  await expect
    .element(page.getByRole('table', { name: `Staff of ${STAFF.providers[0]?.name}` }))
    .toHaveTextContent('vera@example.com');
  await expectAccessible();
});

test('the audit is read as sentences, with the state of its chain', async () => {
  const check = {
    requested_at: AT,
    requested_by: 'super@example.com',
    finished_at: AT,
    is_intact: true,
    entries: 12,
    head_hash: 'ab'.repeat(32),
    problem: null,
    problem_seq: null,
    unchecked_entries: 0,
    foreign_entries: 0,
    foreign_seq: null,
  };
  await showScreen('/audit', {
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/audit': {
        success: true,
        data: [
          {
            seq: '12',
            is_sealed: false,
            at: AT,
            actor_kind: 'user',
            actor_id: SUPER_ADMIN.id,
            actor_name: SUPER_ADMIN.email,
            is_actor_person: true,
            action: 'community.settings_changed',
            target_kind: 'community',
            target_id: idOf(1),
            target_name: 'Blue Harbor',
            before: { minimum_balance: '500' },
            after: { minimum_balance: '507' },
            request_id: null,
            keyed_by: 'api',
          },
        ],
        meta: { next_seq: null, total: 1, is_total_capped: false, target_name: null },
      },
      'GET /api/audit/chain': {
        success: true,
        data: {
          head: { position: '12', seq: '14', hash: 'ab'.repeat(32) },
          unsealed: { count: 2, since: AT },
          open: null,
          last: check,
          noted: [],
        },
      },
    },
  });
  const entry = page.getByRole('list', { name: 'Audit entries, newest first' }).getByRole('listitem').first();
  await expect.element(entry).toHaveTextContent('changed the settings of the community Blue Harbor');
  await expect.element(entry).toHaveTextContent('minimum balance: 500 to 507');
  await entry.getByRole('button', { name: /Raw$/ }).click();
  await expect
    .poll(() => entry.element().querySelector('pre')?.textContent)
    .toContain('"action": "community.settings_changed"');
  const chain = page.getByRole('region', { name: 'Chain' });
  await expect.element(chain).toHaveTextContent('Intact');
  await expect.element(chain).toHaveTextContent('12 entries');
  await expect.element(entry).toHaveTextContent('Not sealed yet');
  await expect.element(chain).toHaveTextContent('Position 12, entry #14');
  await expect.element(chain).toHaveTextContent(/Not sealed yet\s*2/);
  await expectAccessible();
});

const ATTEMPT: Attempt = {
  id: idOf(5),
  kind: 'access',
  code: 'super_admin_required',
  text: 'Super admin access required',
  call: 'GET /api/waitlist',
  summary: 'Who asks for access, longest first',
  caller_kind: 'user',
  caller_id: 'staff-1',
  caller_name: 'staff@example.com',
  address: '127.0.0.1',
  network: '127.0.0.1',
  first_at: AT,
  last_at: AT,
  count: 2,
  request_id: null,
};

test('refused attempts are listed with who tried what, from where, and how often', async () => {
  await showScreen('/audit?view=security', {
    answers: {
      ...READS_UNDER_WAY,
      [LOG]: {
        success: true,
        data: [ATTEMPT],
        meta: { total: 1, is_total_capped: false, next_cursor: null, unlisted: [] },
      },
    },
  });
  const row = page.getByRole('table', { name: 'Refused attempts, newest first' }).getByRole('row').nth(1);
  await expect.element(row).toHaveTextContent('staff@example.com');
  await expect.element(row).toHaveTextContent('Tried something that only super admins may do');
  await expect.element(row).toHaveTextContent('Access denied');
  await expect.element(row).toHaveTextContent('127.0.0.1');
  await expect.element(row.getByRole('cell').last()).toHaveTextContent(/^2$/);
  await expectAccessible();
});

test('the security log opens with the view of the person, apart from that of the audit, and keeps its columns', async () => {
  const views = {
    audit: { id: idOf(8), query: 'by=user', layout: null },
    refusals: { id: idOf(9), query: 'kind=forbidden&view=security', layout: null },
  };
  const { address, server } = await showScreen('/audit?view=security', {
    user: { ...SUPER_ADMIN, default_views: views },
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/saved-views': { success: true, data: [] },
      [LOG]: {
        success: true,
        data: [ATTEMPT],
        meta: { total: 1, is_total_capped: false, next_cursor: null, unlisted: [] },
      },
      'PUT /api/me/lists/{list}': refuse(503),
    },
  });
  await expect.poll(address).toBe(`/audit?kind=forbidden&view=security&saved=${idOf(9)}`);
  const table = page.getByRole('table', { name: 'Refused attempts, newest first' });
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const box = page.getByRole('dialog', { name: 'Columns' });
  await box.getByRole('checkbox', { name: 'Show Network' }).click();
  await expect.element(table.getByRole('columnheader', { name: 'Network' })).not.toBeInTheDocument();
  await expect
    .poll(() => server.sentTo('PUT /api/me/lists/{list}').map(({ params, body }) => ({ params, body })))
    .toMatchObject([{ params: { list: 'refusals' }, body: { hidden: ['network'], version: null } }]);
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
