import { MENTIONS_MOST, NOTE_LENGTH, NOTE_SUBJECTS } from '@copydesk/domain/notes';
import { cleanText } from '@copydesk/domain/text';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, id, paging, rowVersion, timestamp } from '../fields.ts';

const subject = { subject_kind: z.enum(NOTE_SUBJECTS), subject_id: id };

/** Several lines, without what pasting adds. */
const text = z
  .string()
  .overwrite(cleanText)
  .min(1)
  .max(NOTE_LENGTH)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL
  .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f]*$/);
const mentions = z
  .array(z.string().min(1).max(200))
  .max(MENTIONS_MOST)
  .default([])
  .describe('ids of the people who are asked to look; each must be one of its readers');
const reader = id.nullable().describe('the provider whose staff reads it as well; null: super admins alone');

const note = z
  .object({
    id,
    ...subject,
    provider_id: reader,
    /** Of the provider; null: super admins alone read it. */
    provider: z.string().nullable(),
    /** Null: it was removed, and its text with it. */
    text: z.string().nullable(),
    author: z.string(),
    is_own: z.boolean(),
    /** In the order of their names; `is_done`: whether the person has seen it. */
    mentions: z.array(
      z.object({ id: z.string(), name: z.string(), is_you: z.boolean(), is_done: z.boolean() }),
    ),
    created_at: timestamp,
    edited_at: timestamp.nullable(),
    removed_at: timestamp.nullable(),
    removed_by: z.string().nullable(),
    version: rowVersion,
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof note>;

const write = { permission: 'staff', capability: 'traders:write', recentAuth: false } as const;

export const noteCalls = entries({
  'GET /api/notes': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'The notes about a trader, invoice, payout or pool that the caller reads, latest first',
    query: z.strictObject({ ...subject, ...paging }),
    answer: page(note, {
      total: z.int(),
      /** Who may read a note that the caller writes here; the first is proposed. Empty: the caller writes none. */
      readers: z.array(z.object({ provider_id: id.nullable(), name: z.string() })),
    }),
    errors: ['not_found'],
  },
  'GET /api/notes/people': {
    ...write,
    summary: 'Who can be mentioned in a note: the others who may read it, by name',
    query: z.strictObject({ ...subject, provider_id: id.optional() }),
    answer: ok(z.array(z.object({ id: z.string(), name: z.string(), email: z.string() }))),
    errors: ['not_found'],
  },
  'POST /api/notes': {
    ...write,
    idempotent: true,
    summary: 'Writes a note. Whoever it mentions finds it in its list of what needs it',
    body: z.strictObject({ ...subject, provider_id: reader, text, mentions }),
    answer: ok(note),
    status: 201,
    errors: ['not_found', 'note_reader_unknown'],
    perMinute: 30,
  },
  'PATCH /api/notes/{id}': {
    ...write,
    summary: 'Changes the text of a note, and whom it mentions. For its author',
    params: byId,
    body: z.strictObject({ text, mentions, version: rowVersion.describe('as read') }),
    answer: ok(note),
    errors: ['not_found', 'note_of_another', 'note_reader_unknown', 'changed_meanwhile'],
  },
  'DELETE /api/notes/{id}': {
    ...write,
    summary: 'Removes the text of a note. For its author and super admins; that it was there stays',
    params: byId,
    answer: z.object({ success: z.literal(true) }),
    errors: ['not_found', 'note_of_another'],
  },
  'PUT /api/notes/done': {
    ...write,
    capability: 'directory:read',
    summary: 'The caller has seen the notes about something that mention it',
    body: z.strictObject(subject),
    answer: z.object({ success: z.literal(true) }),
    errors: [],
  },
});
