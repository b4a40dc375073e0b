import type { Call, CallInput } from '@copydesk/contract';
import type { Note } from '@copydesk/contract/notes';
import type { Persona } from '@copydesk/contract/people';
import type { NoteSubject } from '@copydesk/domain/notes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addAccount } from '../../../../../tests/support/world/accounts.ts';
import { ownerOf } from '../../../../../tests/support/world/rows.ts';

let product: TestApp;
let owner: ReturnType<typeof ownerOf>;
const tokens = new Map<Persona, string>();
/** Of the trader: its providers by name, one of which `staff` has. */
let trader: { id: string; mine: string; other: string };

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  owner = ownerOf(product.ownerUrl);
  for (const persona of ['super', 'super-2', 'staff'] as const)
    tokens.set(persona, await product.signIn(persona));
  const [row] = await owner<{ id: string; mine: string; other: string }>(
    `SELECT v.trader_id AS id, a.id AS mine, p.id AS other FROM trader_provider v
     JOIN provider a ON a.id = v.provider_id AND a.name = 'aurora'
     CROSS JOIN LATERAL (SELECT p.id FROM provider p WHERE p.name <> 'aurora' ORDER BY p.name LIMIT 1) p
     ORDER BY v.trader_id LIMIT 1`,
  );
  trader = row as typeof trader;
  // A trader of two providers: what one writes is none of the other's business.
  await addAccount(owner, { id: trader.id, providerId: trader.other });
});
afterAll(() => product.close());

const ask = async <K extends Call>(persona: Persona, call: K, input: CallInput<K>) => {
  const answer = await send(product.app, call, input as never, tokens.get(persona));
  return { status: answer.statusCode, body: answer.json() };
};
const ofTrader = () => ({ subject_kind: 'trader' as NoteSubject, subject_id: trader.id });
const list = async (persona: Persona, subject: object = ofTrader()) =>
  ask(persona, 'GET /api/notes', { query: subject } as never);
const texts = async (persona: Persona) => ((await list(persona)).body.data as Note[]).map(({ text }) => text);
const write = (persona: Persona, text: string, more: object = {}) =>
  ask(persona, 'POST /api/notes', {
    body: { ...ofTrader(), provider_id: trader.mine, text, ...more },
  } as never);
const idOf = async (email: string) => {
  const [row] = await owner<{ id: string }>('SELECT id FROM identity.person WHERE email = $1', [email]);
  return row?.id ?? '';
};
/** What waits for a person because a note mentions it. */
const waiting = async (persona: Persona) =>
  ((await ask(persona, 'GET /api/attention', { query: {} })).body.data as { kind: string }[]).filter(
    ({ kind }) => kind === 'note_mention',
  );

describe('a note', () => {
  test('is read by the staff of its provider and by super admins, and by no others of the same trader', async () => {
    const made = await write('staff', '  Pays on the 5th,\r\n\r\n\r\n\r\nasked by phone.\u202e ');
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          text: 'Pays on the 5th,\n\nasked by phone.',
          author: 'staff@demo.example',
          is_own: true,
          provider_id: trader.mine,
          mentions: [],
          version: 1,
        },
      },
    });
    await write('super', 'Only for us', { provider_id: null });
    await write('super', 'For the other provider', { provider_id: trader.other });
    expect(await texts('super')).toEqual([
      'For the other provider',
      'Only for us',
      'Pays on the 5th,\n\nasked by phone.',
    ]);
    expect(await texts('staff')).toEqual(['Pays on the 5th,\n\nasked by phone.']);
    expect((await list('staff')).body.meta).toMatchObject({
      total: 1,
      readers: [{ provider_id: trader.mine }],
    });
    expect((await list('super')).body.meta.readers[0]).toEqual({ provider_id: null, name: 'Super admins' });
  });

  test('is written for readers of its subject only, and about what is in scope', async () => {
    for (const provider_id of [null, trader.other, crypto.randomUUID()])
      expect((await write('staff', 'x', { provider_id })).status).toBe(404);
    const [foreign] = await owner<{ id: string }>(
      `SELECT t.id FROM trader t WHERE NOT EXISTS (SELECT FROM trader_provider v
         JOIN provider p ON p.id = v.provider_id WHERE v.trader_id = t.id AND p.name = 'aurora') LIMIT 1`,
    );
    for (const [kind, id] of [
      ['trader', foreign?.id],
      ['invoice', trader.id],
      ['payout', crypto.randomUUID()],
      ['pool', crypto.randomUUID()],
    ] as const) {
      const subject = { subject_kind: kind, subject_id: id };
      expect([kind, (await list('staff', subject)).status]).toEqual([kind, 404]);
      expect([kind, (await write('staff', 'x', subject)).status]).toEqual([kind, 404]);
    }
    for (const text of ['', ' \n ', 'x'.repeat(2_001), 'a\u0000b'])
      expect([text.slice(0, 9), (await write('staff', text)).status]).toEqual([text.slice(0, 9), 400]);
  });

  test.each([
    [
      'invoice',
      `SELECT i.id, i.provider_id FROM invoice i JOIN provider p ON p.id = i.provider_id WHERE p.name = 'aurora' LIMIT 1`,
    ],
    [
      'payout',
      `SELECT v.payout_id AS id, v.provider_id FROM payout_provider v JOIN provider p ON p.id = v.provider_id WHERE p.name = 'aurora' LIMIT 1`,
    ],
    [
      'pool',
      `SELECT a.id, l.provider_id FROM pooled_account a JOIN community_provider l USING (community_id) JOIN provider p ON p.id = l.provider_id WHERE p.name = 'aurora' LIMIT 1`,
    ],
  ] as const)('about one %s is found there', async (subject_kind, sql) => {
    const [row] = await owner<{ id: string; provider_id: string }>(sql);
    expect(row, 'the demo world has one').toBeDefined();
    const subject = { subject_kind, subject_id: row?.id };
    const made = await write('staff', 'Here', { ...subject, provider_id: row?.provider_id });
    expect(made.status).toBe(201);
    for (const persona of ['staff', 'super'] as const)
      expect((await list(persona, subject)).body.data).toMatchObject([{ ...subject, text: 'Here' }]);
  });

  test('is changed by its author alone, who saw it as it is; super admins may remove it, and that it was there stays', async () => {
    const { id, version } = (await write('staff', 'First')).body.data as Note;
    const change = (persona: Persona, text: string, seen: number) =>
      ask(persona, 'PATCH /api/notes/{id}', { params: { id }, body: { text, version: seen } } as never);
    expect(await change('super', 'Mine', version)).toMatchObject({
      status: 409,
      body: { error: 'note_of_another' },
    });
    expect((await change('staff', 'Second', version)).body.data).toMatchObject({
      text: 'Second',
      version: 2,
      edited_at: expect.any(String),
    });
    expect(await change('staff', 'Third', version)).toMatchObject({
      status: 409,
      body: { error: 'changed_meanwhile' },
    });
    expect((await ask('super-2', 'DELETE /api/notes/{id}', { params: { id } })).status).toBe(200);
    expect((await list('staff')).body.data[0]).toMatchObject({
      id,
      text: null,
      removed_by: 'super-2@demo.example',
      removed_at: expect.any(String),
    });
    expect((await change('staff', 'Back', 3)).status).toBe(404);
    // The audit says that it was changed, and not what it said.
    const audited = await owner<{ action: string; after: object; actor_name: string }>(
      `SELECT action, after, actor_name FROM audit_entry WHERE target_id = $1 AND action LIKE 'note.%' ORDER BY seq`,
      [trader.id],
    );
    expect(audited).toEqual([
      { action: 'note.edited', after: { note_id: id }, actor_name: 'staff@demo.example' },
      { action: 'note.removed', after: { note_id: id }, actor_name: 'super-2@demo.example' },
    ]);
  });
});

describe('a mention', () => {
  test('reaches one person until it has seen it, and is offered for readers only', async () => {
    const people = async (persona: Persona, provider_id?: string) =>
      (
        await ask(persona, 'GET /api/notes/people', {
          query: { ...ofTrader(), ...(provider_id && { provider_id }) },
        } as never)
      ).body.data as { id: string; email: string }[];
    expect((await people('staff', trader.mine)).map(({ email }) => email)).toEqual(
      expect.arrayContaining(['super@demo.example', 'super-2@demo.example']),
    );
    expect((await people('staff', trader.mine)).map(({ email }) => email)).not.toContain(
      'staff@demo.example',
    );
    expect((await people('super')).map(({ email }) => email)).not.toContain('staff@demo.example');
    const [staffId, otherId] = [await idOf('staff@demo.example'), await idOf('super-2@demo.example')];
    expect(await write('super', 'Look', { provider_id: null, mentions: [staffId] })).toMatchObject({
      status: 409,
      body: { error: 'note_reader_unknown' },
    });
    const made = await write('staff', 'Please call', { mentions: [otherId] });
    expect(made.body.data.mentions).toEqual([
      expect.objectContaining({ id: otherId, is_you: false, is_done: false }),
    ]);
    expect(await waiting('super-2')).toMatchObject([
      { code: 'trader', count: 1, trader_id: trader.id, turn: 'you' },
    ]);
    expect(await waiting('super')).toEqual([]);
    expect((await ask('super-2', 'PUT /api/notes/done', { body: ofTrader() } as never)).status).toBe(200);
    expect(await waiting('super-2')).toEqual([]);
    const [seen] = (await list('staff')).body.data as Note[];
    expect(seen?.mentions).toEqual([expect.objectContaining({ is_done: true })]);

    // Mentioned again in the same note, it has seen it; in another one, it has not.
    await write('staff', 'And again', { mentions: [otherId, otherId] });
    expect(await waiting('super-2')).toHaveLength(1);
    const [latest] = (await list('staff')).body.data as Note[];
    expect((await ask('staff', 'DELETE /api/notes/{id}', { params: { id: latest?.id ?? '' } })).status).toBe(
      200,
    );
    expect(await waiting('super-2')).toEqual([]);
  });
});
