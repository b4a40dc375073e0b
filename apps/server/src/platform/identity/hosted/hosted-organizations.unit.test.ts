import { beforeEach, expect, test } from 'vitest';
import type { Statements } from '../../db/statements.ts';
import type { Principal } from '../identity.ts';
import { createHostedOrganizations } from './hosted-organizations.ts';

const A = '0000000a-0000-4000-8000-000000000000';
const B = '0000000b-0000-4000-8000-000000000000';
const person = {
  kind: 'user',
  id: 'one',
  flags: { admin: true, super: false, providerAccess: [A, B], staffRoles: {} },
} as unknown as Principal;
const clock = { ms: 1_000_000 };
let stored: Map<string, string | null>;
let reads = 0;
let asked: string[] = [];
beforeEach(() => {
  stored = new Map([['org_a', A]]);
  reads = 0;
  asked = [];
});

function create(admit: (hostedId: string) => void = () => {}) {
  const query = async ({ values: [id] }: { values: [string] }) => {
    reads += 1;
    return { rows: stored.has(id) ? [{ provider_id: stored.get(id) }] : [] };
  };
  const organizations = createHostedOrganizations({
    statements: { query } as unknown as Statements,
    admit: async (hostedId) => {
      asked.push(hostedId);
      admit(hostedId);
    },
    now: () => new Date(clock.ms),
  });
  return async (id: string) => {
    const result = await organizations.narrow(person, { id, hostedId: 'user_one' });
    return result.ok && result.principal.kind === 'user' ? result.principal.flags.providerAccess : result;
  };
}

test('a known organisation narrows without asking the service, and is read again after half a minute', async () => {
  const at = create();
  expect(await at('org_a')).toEqual([A]);
  stored.set('org_a', B);
  expect(await at('org_a')).toEqual([A]);
  clock.ms += 30_000;
  expect(await at('org_a')).toEqual([B]);
  expect([reads, asked]).toEqual([2, []]);
});

test('the memberships are read for an unknown one, and who is no member gets nothing', async () => {
  const at = create(() => stored.set('org_b', B));
  expect(await at('org_b')).toEqual([B]);
  expect(await at('org_c')).toMatchObject({ ok: false, code: 'organization_ended', caller: person });
  expect(asked).toEqual(['user_one', 'user_one']);
});

test('an organisation of no provider changes nothing', async () => {
  stored.set('org_none', null);
  expect(await create()('org_none')).toEqual([A, B]);
});
