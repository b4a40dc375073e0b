import { readFileSync } from 'node:fs';
import { type Call, contract, type Entry } from '@copydesk/contract';
import { decideAccess, needsRecentAuth } from '@copydesk/domain/access';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { staleAuthorization } from '../support/identity/stale-session.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { type Aim, CALLERS, type Caller, type Case, TARGETS, type Target } from './matrix/case.ts';
import { CASES } from './matrix/cases.ts';
import { readWorld } from './matrix/read-world.ts';

const FLAGS = {
  super: { admin: true, super: true, providerAccess: [] },
  stale: { admin: true, super: true, providerAccess: [] },
  'stale-staff': { admin: true, super: false, providerAccess: ['one'] },
  staff: { admin: true, super: false, providerAccess: ['one'] },
  'staff-multi': { admin: true, super: false, providerAccess: ['one', 'two', 'three'] },
  'no-access': { admin: true, super: false, providerAccess: [] },
  'not-admin': { admin: false, super: false, providerAccess: [] },
};

const SEES_SOME: ReadonlySet<Caller> = new Set(['staff', 'staff-multi', 'service', 'no-access']);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const calls = Object.keys(CASES) as Call[];

// The second round switches the application's own filter off: what still keeps rows apart is PostgreSQL.
describe.each([
  { name: 'with both walls', filtersScope: true },
  { name: 'with row-level security alone', filtersScope: false },
])('every call, every caller, $name', ({ filtersScope }) => {
  // Rows are kept apart for those who see some: everybody else meets the gate alone, which is the same in both rounds.
  const callers = filtersScope ? CALLERS : CALLERS.filter((caller) => SEES_SOME.has(caller));
  let product: TestApp;
  const tokens = new Map<Caller, string | undefined>();
  const aims = new Map<Target, Aim>();
  /** Ids of rows that staff of the first provider must never be shown. */
  let foreign: Set<string>;
  /** Exchange accounts likewise, by the uid that their exchange gave them. */
  let foreignUids: string[];

  beforeAll(async () => {
    product = await createTestApp({ filtersScope });
    for (const persona of ['super', 'staff', 'staff-multi', 'no-access', 'not-admin'] as const)
      tokens.set(persona, await product.signIn(persona));
    tokens.set('stale', await staleAuthorization(product, 'super'));
    tokens.set('stale-staff', await staleAuthorization(product, 'staff'));
    const world = await readWorld(product, tokens.get('super') ?? '');
    tokens.set('service', world.serviceToken);
    for (const target of TARGETS) aims.set(target, world.aims[target]);
    foreign = world.foreign;
    foreignUids = world.foreignUids;
  });
  afterAll(() => product.close());

  test.each(calls)('%s', async (call) => {
    const entry: Entry = contract[call];
    const { input, isAimed = false, allowed = [entry.status ?? 200], expects } = CASES[call] as Case<Call>;
    for (const caller of callers) {
      for (const target of isAimed ? TARGETS : (['own'] as const)) {
        const special = expects?.(caller, target);
        const { body } = input(aims.get(target) as Aim) as { body?: object };
        const expected = special
          ? { status: [special] }
          : expectation(entry, { caller, target, body }, allowed);
        // An open event stream never ends by itself; it has tests of its own.
        if (call === 'GET /api/events' && expected.status.includes(200)) continue;
        const answer = await send(product.app, call, input(aims.get(target) as Aim), tokens.get(caller));
        const about = `${call} by ${caller} at ${target}: ${answer.body.slice(0, 300)}`;
        expect(expected.status, about).toContain(answer.statusCode);
        if (target === 'own') expect(isAdmitted(answer), about).toBe(isDocumented(call, caller));
        if ('code' in expected) expect(answer.json().error, about).toBe(expected.code);
        expect(answer.headers['x-request-id'], about).toMatch(UUID);
        if (answer.statusCode < 300) expectShape(entry, answer.body, about);
        if (caller === 'staff' || caller === 'stale-staff' || caller === 'service')
          expectNothingForeign(answer.body, target, about);
      }
    }
  });

  test('no call of the contract is left out', () => {
    expect([...calls].sort()).toEqual(Object.keys(contract).sort());
  });

  test('an object out of scope answers exactly like a missing one', async () => {
    for (const call of calls.filter((key) => CASES[key].isAimed)) {
      const [outside, nowhere] = await Promise.all(
        (['foreign', 'missing'] as const).map((target) =>
          send(
            product.app,
            call,
            (CASES[call] as Case<Call>).input(aims.get(target) as Aim),
            tokens.get('staff'),
          ),
        ),
      );
      expect(outside?.statusCode, call).toBe(nowhere?.statusCode);
      expect(outside?.body, call).toBe(nowhere?.body);
    }
  });

  function expectNothingForeign(body: string, target: Target, about: string) {
    const asked = target === 'foreign' ? Object.values(aims.get('foreign') as Aim) : [];
    const leaked = (body.match(UUID) ?? []).filter((id) => foreign.has(id) && !asked.includes(id));
    expect(leaked, about).toEqual([]);
    expect(
      foreignUids.filter((uid) => new RegExp(`\\b${uid}\\b`).test(body)),
      about,
    ).toEqual([]);
  }
});

function expectation(
  entry: Entry,
  { caller, target, body }: { caller: Caller; target: Target; body: object | undefined },
  allowed: readonly number[],
) {
  if (entry.permission === 'public') return { status: allowed };
  if (caller === 'anonymous') return { status: [401], code: 'missing_token' };
  if (caller === 'service' && !entry.serviceScope) return { status: [403], code: 'service_scope_required' };
  // The owner of the token is a super admin.
  const isGiven = caller === 'service' && entry.permission === 'super';
  const refusal = decideAccess(
    isGiven ? 'staff' : entry.permission,
    FLAGS[caller === 'service' ? 'staff' : caller],
    entry.capability,
  );
  if (refusal) return { status: [403], code: refusal };
  if (caller.startsWith('stale') && needsRecentAuth(entry.recentAuth, body))
    return { status: [403], code: 'reauthentication_required' };
  if (target === 'missing') return { status: [404], code: 'not_found' };
  if (target === 'own' || caller === 'super' || caller === 'stale') return { status: allowed };
  // Staff of three providers may or may not see what is foreign to the first; the leak test is about the first.
  return caller === 'staff-multi' ? { status: [...allowed, 404] } : { status: [404], code: 'not_found' };
}

/** The columns of docs/access.md by caller; the service has every scope. */
const COLUMNS: Record<Caller, string> = {
  anonymous: 'Anyone',
  'not-admin': 'Signed in',
  'no-access': 'Admin',
  staff: 'Staff',
  'staff-multi': 'Staff',
  'stale-staff': 'Staff',
  super: 'Super admin',
  stale: 'Super admin',
  service: 'Program',
};
const REFUSALS = [
  'missing_token',
  'not_admin',
  'no_provider_access',
  'role_required',
  'super_admin_required',
  'service_scope_required',
];
const documented = readDocumented();

function readDocumented(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const text = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8');
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((row) => row.startsWith('|'))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.map((cells) => [cells[0] ?? '', new Map(head.map((name, at) => [name, cells[at] ?? '']))]),
  );
}

function isDocumented(call: Call, caller: Caller): boolean {
  const row = documented.get(`\`${call.replace('/api', '')}\``);
  return [row?.get('Anyone'), row?.get(COLUMNS[caller])].some((cell) => cell !== '' && cell !== undefined);
}

function isAdmitted({ statusCode, body }: { statusCode: number; body: string }): boolean {
  return statusCode < 400 || !REFUSALS.includes(JSON.parse(body).error);
}

function expectShape(entry: Entry, body: string, about: string) {
  if ('stream' in entry.answer) return;
  const result = (entry.answer as z.ZodType).safeParse(JSON.parse(body));
  expect(result.error?.issues ?? [], about).toEqual([]);
}
