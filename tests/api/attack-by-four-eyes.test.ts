import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TWO_PERSON_ACTS } from '../support/four-eyes-acts.ts';
import { giveAccess } from '../support/identity/give-access.ts';
import { addSuperAdmin, type EnrolledPerson } from '../support/identity/people.ts';
import { createOwingWorld, type OwingWorld } from '../support/world/owing-world.ts';

// One person who wants to act as two, over everything that takes two: `npm run attack -- four-eyes`.

let world: OwingWorld;
let first: { id: string; authorization: string };
let second: { id: string; authorization: string };
let staff: { id: string; authorization: string };
let people = 0;
beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '1' } });
  const idOf = async (persona: string) => {
    const [row] = await world.owner<{ id: string }>('SELECT id FROM identity."user" WHERE email = $1', [
      `${persona}@demo.example`,
    ]);
    return row?.id as string;
  };
  first = { id: await idOf('super'), authorization: world.token };
  second = { id: await idOf('super-2'), authorization: world.other };
  staff = { id: await idOf('staff'), authorization: await world.signIn('staff') };
}, 60_000);
afterAll(() => world?.close());

const add = (by: { authorization: string }) => {
  people += 1;
  return addSuperAdmin(world, by.authorization, `attacker-${people}@example.com`);
};
/** As if it had been a super admin for long. */
const age = async (person: EnrolledPerson) => {
  await world.owner(
    "UPDATE identity.user_access SET super_since = now() - interval '30 days' WHERE user_id = $1",
    [person.id],
  );
  return person;
};
const confirm = (id: string, as: { authorization: string }) =>
  world.ask('POST /api/users/{id}/confirm', { params: { id } }, {}, as.authorization);
const take = (id: string, body: object) => giveAccess(world, second.authorization, id, body);
/** A super admin whom two others have made and confirmed. */
const colleague = async () => {
  const person = await add(first);
  expect((await confirm(person.id, second)).status).toBe(200);
  return person;
};

describe.each(TWO_PERSON_ACTS)('$name', (act) => {
  let id = '';
  afterEach(() => act.withdraw?.(world, id));
  const request = async (by: { id: string; authorization: string }) => {
    id = await act.request(world, by);
    return id;
  };
  const refused = async (as: { id: string; authorization: string }, code: string) => {
    const answer = await act.approve(world, id, as);
    expect(answer.error).toBe(code);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  };

  test('not by whoever asked, not by staff, not by an own account, new or old', async () => {
    await request(first);
    await refused(first, act.words?.own_approval ?? 'own_approval');
    await refused(staff, 'super_admin_required');
    const puppet = await add(first);
    await refused(puppet, 'approver_not_independent');
    await age(puppet);
    await refused(puppet, 'approver_not_independent');
    const puppetOfPuppet = await age(await add(puppet));
    await refused(puppetOfPuppet, 'approver_not_independent');
    await refused(await age(await add(second)), 'approver_not_confirmed');
  });

  test('not by whoever made the account that asked', async () => {
    await request(await add(first));
    await refused(first, 'requester_not_independent');
  });

  test('not by a super admin of an hour, nor by one who was demoted or disabled meanwhile', async () => {
    await request(first);
    const fresh = await colleague();
    await refused(fresh, 'approver_too_new');
    await age(fresh);
    await take(fresh.id, { super: false });
    await refused(fresh, 'super_admin_required');
    await take(fresh.id, { disabled: true });
    const { status } = await act.approve(world, id, fresh);
    expect(status).toBe(401);
  });

  test.runIf(act.isVoidWithRequester)('not once the account that asked was disabled', async () => {
    const gone = await colleague();
    await request(gone);
    await take(gone.id, { disabled: true });
    await refused(second, 'requester_inactive');
  });

  test.runIf(act.change)('not after it changed', async () => {
    await request(first);
    const code = (await act.change?.(world, id, first)) ?? '';
    await refused(second, code);
  });

  test.runIf(act.canSucceed)('once, by another person, however often at once', async () => {
    await act.withdraw?.(world, id);
    await request(first);
    const [head] = await world.owner<{ seq: string }>('SELECT max(seq) AS seq FROM audit_entry');
    const answers = await Promise.all(Array.from({ length: 4 }, () => act.approve(world, id, second)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const audited = await world.owner(
      "SELECT FROM audit_entry WHERE seq > $2 AND actor_id = $1 AND action ~ '(approved|released)$'",
      [second.id, head?.seq],
    );
    expect(audited).toHaveLength(1);
  });
});

describe('the confirmation of an account', () => {
  test('not by itself, its sponsor, an unconfirmed one, or for nobody', async () => {
    const puppet = await add(first);
    const other = await add(puppet);
    const codeOf = async (id: string, as: { authorization: string }) => (await confirm(id, as)).body.error;
    expect(await codeOf(puppet.id, puppet)).toBe('own_confirmation');
    expect(await codeOf(puppet.id, first)).toBe('confirmation_not_independent');
    expect(await codeOf(puppet.id, other)).toBe('confirmer_not_confirmed');
    expect(await codeOf(other.id, first)).toBe('confirmation_not_independent');
    expect(await codeOf(staff.id, first)).toBe('not_a_super_admin');
    await take(puppet.id, { super: false });
    expect(await codeOf(puppet.id, second)).toBe('not_a_super_admin');
  });
});
