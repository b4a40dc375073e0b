import type { CallAnswer } from '@copydesk/contract';
import type { Note } from '@copydesk/contract/notes';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, STAFF } from '../../testing/show-screen.tsx';
import { showTrader } from '../../testing/show-trader.ts';

const LIST = 'GET /api/notes';
const PEOPLE = 'GET /api/notes/people';
const WRITE = 'POST /api/notes';
const CHANGE = 'PATCH /api/notes/{id}';
const REMOVE = 'DELETE /api/notes/{id}';
const DONE = 'PUT /api/notes/done';
const AURORA = { provider_id: idOf(9), name: 'Aurora Signals' };
const SUPERS = { provider_id: null, name: 'Super admins' };

const noteOf = (n: number, over: Partial<Note> = {}): Note => ({
  ...{ id: idOf(700 + n), subject_kind: 'trader', subject_id: idOf(1), provider_id: AURORA.provider_id },
  ...{ provider: AURORA.name, text: `Note ${n}`, author: `author-${n}@example.com`, is_own: false },
  ...{
    mentions: [],
    created_at: '2026-07-01T10:00:00Z',
    edited_at: null,
    removed_at: null,
    removed_by: null,
  },
  version: 1,
  ...over,
});
const listed = (
  data: Note[],
  readers: CallAnswer<typeof LIST>['meta']['readers'] = [SUPERS, AURORA],
  total = data.length,
): Answers => ({ [LIST]: { success: true, data, meta: { total, readers } } });
const people = {
  success: true as const,
  data: [
    { id: 'p-1', name: 'Ada', email: 'ada@example.com' },
    { id: 'p-2', name: '\u05d0\u05d3\u05d4', email: 'other@example.com' },
  ],
};
const show = (answers: Answers, more: object = {}) => showTrader({}, { answers, ...more });

const panel = page.getByRole('region', { name: 'Notes' });
const dialog = page.getByRole('dialog');
const button = (name: string) => dialog.getByRole('button', { name, exact: true });

test('says who wrote what, for whom, and what was removed; hostile text stays text', async () => {
  await show(
    listed([
      noteOf(1, { text: '<b>bold</b>\n\nsecond', edited_at: '2026-07-02T10:00:00Z' }),
      noteOf(2, { provider_id: null, provider: null }),
      noteOf(3, { text: null, removed_by: 'super@example.com', removed_at: '2026-07-03T10:00:00Z' }),
    ]),
  );
  const notes = panel.getByRole('listitem');
  await expect.element(notes.nth(0)).toHaveTextContent('<b>bold</b> second');
  await expect
    .element(notes.nth(0))
    .toHaveTextContent(/author-1@example\.com.*changed.*staff of Aurora Signals/);
  await expect.element(notes.nth(1)).toHaveTextContent('super admins alone');
  await expect.element(notes.nth(2)).toHaveTextContent('Removed by super@example.com');
  await expect.element(notes.nth(2).getByRole('button')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a note is written for chosen readers, and asks people to look', async () => {
  const { server } = await show({
    ...listed([]),
    [PEOPLE]: people,
    [WRITE]: { success: true, data: noteOf(1) },
  });
  await expect.element(panel).toHaveTextContent('No notes yet.');
  await panel.getByRole('button', { name: 'Add note' }).click();
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(/^Read by super admins alone\. Traders and owners never see it/);
  await button('Add note').click();
  await expect.element(dialog).toHaveTextContent('Write something');
  await dialog.getByLabelText('Note', { exact: true }).fill('Asked by phone');
  await dialog.getByLabelText('Who reads it').selectOptions(AURORA.provider_id);
  await dialog.getByRole('checkbox', { name: 'Ada ada@example.com' }).click();
  await expectAccessible();
  await button('Add note').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(PEOPLE).map(({ query }) => query?.provider_id)).toEqual([
    undefined,
    AURORA.provider_id,
  ]);
  expect(server.sentTo(WRITE).map(({ body }) => body)).toMatchObject([
    { subject_kind: 'trader', provider_id: AURORA.provider_id, text: 'Asked by phone', mentions: ['p-1'] },
  ]);
});

test('one that was changed meanwhile is refused in its dialog', async () => {
  const { server } = await show({
    ...listed([noteOf(1, { is_own: true })]),
    [PEOPLE]: people,
    [CHANGE]: refuse(409, 'changed_meanwhile', 'Somebody else changed this meanwhile'),
  });
  await panel.getByRole('button', { name: 'Change' }).click();
  await expect.element(dialog.getByLabelText('Note', { exact: true })).toHaveValue('Note 1');
  await expect.element(dialog.getByLabelText('Who reads it')).not.toBeInTheDocument();
  await dialog.getByLabelText('Note', { exact: true }).fill('Another');
  await button('Save').click();
  await expect.element(dialog).toHaveTextContent('Somebody else changed this meanwhile');
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toEqual([
    { text: 'Another', mentions: [], version: 1 },
  ]);
});

test('staff removes its own only, and is offered what it may do', async () => {
  const { server } = await show(
    { ...listed([noteOf(1, { is_own: true }), noteOf(2)], [AURORA]), [REMOVE]: { success: true } },
    { user: STAFF },
  );
  await expect.element(panel.getByRole('button', { name: 'Remove' })).toBeVisible();
  expect(panel.getByRole('button', { name: 'Remove' }).elements()).toHaveLength(1);
  await panel.getByRole('button', { name: 'Remove' }).click();
  await expect.element(dialog).toHaveTextContent('Its text is deleted for everybody');
  await button('Remove').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(REMOVE)).toHaveLength(1);
});

test('whoever may only read sees the notes, and no place to write', async () => {
  await show(listed([noteOf(1, { is_own: true })], []), { user: STAFF });
  await expect.element(panel).toHaveTextContent('Note 1');
  await expect.element(panel.getByRole('button')).not.toBeInTheDocument();
});

test('a mention of the reader is marked until it has seen it', async () => {
  const { server } = await show({
    ...listed([
      noteOf(1, {
        mentions: [
          { id: 'p-1', name: 'Ada', is_you: false, is_done: true },
          { id: 'super-1', name: 'Super Admin', is_you: true, is_done: false },
        ],
      }),
    ]),
    [DONE]: { success: true },
  });
  await expect.element(panel).toHaveTextContent('For Ada (seen), you');
  await panel.getByRole('button', { name: 'Seen' }).click();
  await expect.poll(() => server.sentTo(DONE).length).toBe(1);
});

test('earlier ones are asked for, and a failure says so', async () => {
  let isBroken = true;
  const { server } = await show({
    [LIST]: () =>
      isBroken
        ? refuse(500, 'internal_error', 'Something went wrong')
        : ({ success: true, data: [noteOf(1)], meta: { total: 9, readers: [SUPERS] } } as never),
  });
  await expect.element(panel).toHaveTextContent('The notes could not be loaded');
  isBroken = false;
  await panel.getByRole('button', { name: /again|Retry/i }).click();
  await panel.getByRole('button', { name: 'Show earlier notes' }).click();
  await expect.poll(() => server.sentTo(LIST).at(-1)?.query?.limit).toBe('10');
});
