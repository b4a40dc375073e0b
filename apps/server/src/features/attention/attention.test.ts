import type { CallInput } from '@copydesk/contract';
import { type AttentionItem, attentionEntry } from '@copydesk/contract/attention';
import { ATTENTION, type AttentionKind } from '@copydesk/domain/attention';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AttentionWorld,
  attentionCases,
  CASE_KINDS,
} from '../../../../../tests/support/attention-cases.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { pruneMarks } from './marks.store.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let staffOfThree: string;
let world: AttentionWorld & { foreign: string };
let cases: ReturnType<typeof attentionCases>;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  [superAdmin, staff, staffOfThree] = [
    await product.signIn('super'),
    await product.signIn('staff'),
    await product.signIn('staff-multi'),
  ];
  const [found] = await owner<typeof world>(
    `SELECT t.id AS trader, p.id AS provider, a.id AS account, t.community_id AS community,
       (SELECT f.id FROM provider f WHERE f.name NOT IN ('aurora', 'borealis', 'cascade') LIMIT 1) AS foreign
     FROM exchange_account a JOIN trader t ON t.id = a.trader_id JOIN provider p ON p.id = a.provider_id
     WHERE p.name = 'aurora' AND a.removed_at IS NULL
       AND t.selected_provider_id = p.id AND NOT EXISTS (SELECT FROM pooled_account l WHERE l.community_id = t.community_id)
       AND NOT EXISTS (SELECT FROM payout f WHERE f.community_id = t.community_id AND f.status = 'failed')
       AND NOT EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND i.due_at < now())
       AND EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.provider_id = p.id AND i.status = 'paid')
     ORDER BY t.id LIMIT 1`,
  );
  if (!found) throw new Error('no such trader');
  world = found;
  cases = attentionCases(product.ownerUrl, world);
});
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

type Query = NonNullable<CallInput<'GET /api/attention'>['query']>;
interface Listed {
  data: AttentionItem[];
  meta: { total: number; tabs: Record<'you' | 'others' | 'snoozed', number>; groups: Record<string, number> };
}
async function attention(as: string, query: Query = {}): Promise<Listed> {
  const answer = await send(product.app, 'GET /api/attention', { query: { limit: '200', ...query } }, as);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<Listed>();
}
/** All tabs: what a person sees of a kind. */
async function ofKind(as: string, kind: AttentionKind): Promise<(AttentionItem & { tab: string })[]> {
  const found: (AttentionItem & { tab: string })[] = [];
  for (const tab of ['you', 'others', 'snoozed'] as const)
    for (const item of (await attention(as, { tab, group: ATTENTION[kind].group })).data)
      if (item.kind === kind) found.push({ ...item, tab });
  return found;
}

const keyOf = ({ kind, subject, provider_id }: Pick<AttentionItem, 'kind' | 'subject' | 'provider_id'>) =>
  `${kind}/${subject}/${provider_id}`;

test.each(CASE_KINDS)('%s appears with its cause, to whom it concerns, and goes with it', async (kind) => {
  const { begin, end, shows, ofStaff } = cases[kind];
  const before = new Set((await ofKind(superAdmin, kind)).map(keyOf));
  const staffBefore = new Set((await ofKind(staff, kind)).map(keyOf));
  await begin();
  const now = (await ofKind(superAdmin, kind)).filter((item) => !before.has(keyOf(item)));
  expect(now).toMatchObject([{ kind, tab: 'you', ...shows }]);
  const seen = (await ofKind(staff, kind)).filter((item) => !staffBefore.has(keyOf(item)));
  expect(seen.map(keyOf)).toEqual(ofStaff ? now.map(keyOf) : []);
  expect(ofStaff ?? attentionEntry(kind).permission === 'super').toBe(true);
  await end();
  const left = (await ofKind(superAdmin, kind)).map(keyOf);
  expect(left.filter((key) => !before.has(key))).toEqual([]);
});

test('counts of tabs and groups are those of the rows, for every persona, whole or in pages', async () => {
  for (const as of [superAdmin, staff, staffOfThree])
    for (const tab of ['you', 'others', 'snoozed'] as const) {
      const { data, meta } = await attention(as, { tab });
      expect(meta.total).toBe(data.length);
      expect(meta.tabs[tab]).toBe(data.length);
      const groups: Record<string, number> = {};
      for (const { kind } of data) groups[ATTENTION[kind].group] = (groups[ATTENTION[kind].group] ?? 0) + 1;
      expect(meta.groups).toEqual(groups);
      const urgencies = data.map(({ kind }) => ATTENTION[kind].urgency);
      expect(urgencies).toEqual(urgencies.toSorted());
      const pages: AttentionItem[] = [];
      for (let offset = 0; offset < data.length; offset += 3)
        pages.push(...(await attention(as, { tab, limit: '3', offset: String(offset) })).data);
      expect(pages.map(keyOf)).toEqual(data.map(keyOf));
    }
});

type Act = CallInput<'PUT /api/attention/mark'>['body']['act'];
const mark = (as: string, { kind, subject, provider_id, cause, version }: AttentionItem, act: Act) =>
  send(
    product.app,
    'PUT /api/attention/mark',
    { body: { kind, subject, provider_id, cause, version, act } },
    as,
  );
const only = async (as: string, kind: AttentionKind) => {
  const [item, ...more] = await ofKind(as, kind);
  if (!item || more.length > 0) throw new Error(`${more.length + (item ? 1 : 0)} of ${kind}`);
  return item;
};
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('who takes an item has it alone, until it is given back, handed over, or gone', async () => {
  await cases.key_failing.begin();
  const first = await only(staff, 'key_failing');
  const [one, two] = await Promise.all([
    mark(staff, first, { kind: 'take' }),
    mark(superAdmin, first, { kind: 'take' }),
  ]);
  expect([one.statusCode, two.statusCode].toSorted()).toEqual([200, 409]);
  const [winner, other] = one.statusCode === 200 ? [staff, superAdmin] : [superAdmin, staff];
  expect(await only(winner, 'key_failing')).toMatchObject({
    tab: 'you',
    turn: 'you',
    taken: { is_you: true },
  });
  const theirs = await only(other, 'key_failing');
  expect(theirs).toMatchObject({ tab: 'others', turn: 'colleague', taken: { is_you: false } });

  const seers = (
    await send(product.app, 'POST /api/attention/people', { body: pick(theirs) }, superAdmin)
  ).json<{ data: { id: string; email: string }[] }>().data;
  const emails = seers.map(({ email }) => email);
  expect(emails).toContain('staff@demo.example');
  expect(emails).toContain('super@demo.example');
  const to = seers.find(({ email }) => email === 'staff-multi@demo.example');
  expect(to).toBeDefined();
  expect((await mark(other, theirs, { kind: 'hand_over', to: 'nobody' })).json()).toMatchObject({
    error: 'attention_not_theirs',
  });
  expect((await mark(other, theirs, { kind: 'hand_over', to: to?.id ?? '' })).statusCode).toBe(200);
  expect(await only(staffOfThree, 'key_failing')).toMatchObject({ tab: 'you', taken: { is_you: true } });

  // The same key works, and fails again later: what was done about the fault before is over.
  await cases.key_failing.end();
  await owner('UPDATE exchange_account SET equity_read_at = now() WHERE id = $1', [world.account]);
  await cases.key_failing.begin();
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await cases.key_failing.end();
});

test('who may only read sees what waits for colleagues and is handed nothing; who lost the access holds nothing', async () => {
  await cases.key_failing.begin();
  const [{ id: staffId } = { id: '' }] = await owner<{ id: string }>(
    `SELECT id::text FROM identity.person WHERE email = 'staff@demo.example'`,
  );
  const setRole = (role: string | null) =>
    owner(
      `UPDATE identity.user_access SET staff_roles = CASE WHEN $2::text IS NULL THEN '{}'::jsonb
         ELSE jsonb_build_object($3::text, $2::text) END WHERE user_id::text = $1`,
      [staffId, role, world.provider],
    );
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  await setRole('viewer');
  const reader = await product.signIn('staff');
  const seen = await only(superAdmin, 'key_failing');
  const seers = await send(product.app, 'POST /api/attention/people', { body: pick(seen) }, superAdmin);
  expect(seers.json().data.map(({ id }: { id: string }) => id)).not.toContain(staffId);
  expect((await mark(superAdmin, seen, { kind: 'give_back' })).statusCode).toBe(200);
  expect(await only(reader, 'key_failing')).toMatchObject({ tab: 'others', turn: 'colleague' });
  expect((await mark(reader, await only(reader, 'key_failing'), { kind: 'take' })).statusCode).toBe(403);
  await setRole(null);

  const again = await product.signIn('staff');
  expect((await mark(again, await only(again, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'others', taken: { is_you: false } });
  await owner('UPDATE identity.user_access SET disabled_at = now() WHERE user_id::text = $1', [staffId]);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await owner('UPDATE identity.user_access SET disabled_at = NULL WHERE user_id::text = $1', [staffId]);
  staff = await product.signIn('staff');
  await owner('DELETE FROM attention_mark');
  await cases.key_failing.end();
});

test('an item sleeps until its end, or until its cause is another one', async () => {
  await cases.key_failing.begin();
  const item = await only(staff, 'key_failing');
  for (const until of [new Date(Date.now() - 1_000), new Date(Date.now() + 31 * 86_400_000)])
    expect(
      (await mark(staff, item, { kind: 'snooze', until: until.toISOString(), reason: 'x' })).json(),
    ).toMatchObject({ error: 'snooze_too_long' });
  const snooze: Act = { kind: 'snooze', until: inAnHour(), reason: 'The trader answers tomorrow' };
  expect((await mark(staff, item, snooze)).statusCode).toBe(200);
  for (const as of [staff, superAdmin])
    expect(await only(as, 'key_failing')).toMatchObject({
      tab: 'snoozed',
      snoozed: { reason: 'The trader answers tomorrow' },
    });
  await owner(`UPDATE exchange_account SET read_error = 'key_locked' WHERE id = $1`, [world.account]);
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you', snoozed: null });
  // Whoever still sees the earlier cause is refused.
  expect((await mark(superAdmin, item, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await cases.key_failing.begin();
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'snoozed' });
  await owner(`UPDATE attention_mark SET snoozed_until = now() - interval '1 second'`);
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you' });
  expect((await mark(superAdmin, await only(superAdmin, 'key_failing'), snooze)).statusCode).toBe(200);
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'wake' })).statusCode).toBe(200);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await cases.key_failing.end();
});

test('who reads at one provider and writes at another acts on items of the other alone', async () => {
  await cases.key_failing.begin();
  const setRole = (roles: string) =>
    owner(
      `UPDATE identity.user_access SET staff_roles = ${roles}
       WHERE user_id = (SELECT id FROM identity.person WHERE email = 'staff-multi@demo.example')`,
    );
  await setRole(`jsonb_build_object('${world.provider}', 'viewer')`);
  const mixed = await product.signIn('staff-multi');
  const seen = await only(mixed, 'key_failing');
  expect(seen).toMatchObject({ tab: 'others', turn: 'colleague' });
  expect((await mark(mixed, seen, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await setRole(`'{}'`);
  await cases.key_failing.end();
});

test('one person takes nothing urgent from the sight of others, and nothing for longer than a day', async () => {
  await cases.wallet_frozen.begin();
  const frozen = await only(superAdmin, 'wallet_frozen');
  const other = await product.signIn('super-2');
  expect(
    (await mark(superAdmin, frozen, { kind: 'snooze', until: inAnHour(), reason: 'Later' })).json(),
  ).toMatchObject({ error: 'attention_urgent' });
  expect((await mark(superAdmin, frozen, { kind: 'take' })).statusCode).toBe(200);
  expect(await only(other, 'wallet_frozen')).toMatchObject({ tab: 'you', taken: { is_you: false } });
  await cases.wallet_frozen.end();

  await cases.key_failing.begin();
  expect((await mark(superAdmin, await only(superAdmin, 'key_failing'), { kind: 'take' })).statusCode).toBe(
    200,
  );
  expect(await only(other, 'key_failing')).toMatchObject({ tab: 'others', turn: 'colleague' });
  await owner(`UPDATE attention_mark SET taken_at = now() - interval '25 hours'`);
  expect(await only(other, 'key_failing')).toMatchObject({ tab: 'you', taken: { is_you: false } });
  await cases.key_failing.end();
});

test('what was taken and left for a day comes first of what is as urgent', async () => {
  await owner('DELETE FROM attention_mark');
  await owner(`UPDATE identity.waitlist SET state = 'waiting', decided_at = NULL, decided_by = NULL,
    joined_at = '2020-01-01' WHERE email = 'new@demo.example'`);
  await cases.key_failing.begin();
  expect((await mark(superAdmin, await only(superAdmin, 'key_failing'), { kind: 'take' })).statusCode).toBe(
    200,
  );
  const soon = async (query: Query = {}) =>
    (await attention(superAdmin, query)).data.filter(({ kind }) => ATTENTION[kind].urgency === 2);
  expect((await soon())[0]).toMatchObject({ kind: 'access_waiting' });
  await owner(`UPDATE attention_mark SET taken_at = now() - interval '24 hours'`);
  expect((await soon())[0]).toMatchObject({ kind: 'key_failing', taken: { is_you: true } });
  await cases.key_failing.end();
  await cases.access_waiting.end();
  await owner('DELETE FROM attention_mark');
});

test('old marks are removed, and hold nothing before', async () => {
  await owner('DELETE FROM attention_mark');
  await cases.key_failing.begin();
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  await owner(`UPDATE exchange_account SET equity_read_at = now() - interval '200 days' WHERE id = $1`, [
    world.account,
  ]);
  const at = (days: number) =>
    owner(`UPDATE attention_mark SET marked_at = now() - make_interval(days => $1)`, [days]);
  await at(89);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'others' });
  expect(await pruneMarks({ db: product.db, now: () => new Date() })).toBe(0);
  await at(91);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  expect(await pruneMarks({ db: product.db, now: () => new Date() })).toBe(1);
  await cases.key_failing.end();
});

test('nobody acts on what is not shown to them', async () => {
  await cases.order_waiting.begin();
  const order = await only(superAdmin, 'order_waiting');
  expect((await mark(staff, order, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  expect(
    (await send(product.app, 'POST /api/attention/people', { body: pick(order) }, staff)).json(),
  ).toMatchObject({ error: 'attention_gone' });
  const foreign = { ...order, kind: 'key_failing' as const, provider_id: world.foreign };
  expect((await mark(staff, foreign, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await cases.order_waiting.end();
});

test('what one asked for oneself waits for another', async () => {
  await cases.order_waiting.begin();
  const { id } = (await send(product.app, 'GET /api/me', {}, superAdmin)).json<{ data: { id: string } }>()
    .data;
  await owner(`UPDATE money_order SET requested_by_id = $1 WHERE state = 'awaiting_approval'`, [id]);
  expect(await only(superAdmin, 'order_waiting')).toMatchObject({ tab: 'others', turn: 'another' });
  expect(await only(await product.signIn('super-2'), 'order_waiting')).toMatchObject({ tab: 'you' });
  await cases.order_waiting.end();
});

const pick = ({ kind, subject, provider_id }: AttentionItem) => ({ kind, subject, provider_id });
