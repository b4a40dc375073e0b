import { type Note, noteCalls } from '@copydesk/contract/notes';
import type { AnyTx, Database, Tx, WriteTx } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { presentScope } from '../../platform/identity/present-scope.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './notes.store.ts';
import * as views from './notes.views.ts';

type NoteRoutes = Pick<Handlers, Extract<keyof Handlers, `${string} /api/notes${string}`>>;
const DEFAULT_PAGE = 20;
const SUPER_ADMINS = { provider_id: null, name: 'Super admins' } as const;

/** What people write about something for each other, and whom they ask to look. */
export function createNoteRoutes({ db }: { db: Database }): NoteRoutes {
  return {
    'GET /api/notes': async ({ query, scope, actor, principal }) => {
      const { limit = DEFAULT_PAGE, offset = 0, ...subject } = query;
      return db.readAny(scope, async (tx) => {
        const providers = await requireSubject(tx, subject);
        const { data, total } = await views.listNotes(tx, subject, { readerId: actor.id, limit, offset });
        return { success: true as const, data, meta: { total, readers: readersFor(principal, providers) } };
      });
    },

    'GET /api/notes/people': ({ query: { provider_id = null, ...subject }, scope, actor, principal }) =>
      db.read(scope, async (tx) => {
        requireReader(principal, await requireSubject(tx, subject), provider_id);
        const people = await views.listPeople(tx, provider_id);
        return { success: true as const, data: people.filter(({ id }) => id !== actor.id) };
      }),

    'POST /api/notes': ({ body: { text, mentions, provider_id, ...subject }, once, principal }) =>
      once(async (tx) => {
        requireReader(principal, await requireSubject(tx, subject), provider_id);
        await requirePeople(tx, provider_id, mentions);
        const id = await store.insertNote(tx, { ...subject, provider_id, text });
        await store.saveMentions(tx, id, mentions);
        return { success: true, data: await noteOf(tx, id) };
      }),

    'PATCH /api/notes/{id}': ({ params: { id }, body: { text, mentions, version }, scope, actor }) =>
      db.write(scope, actor, async (tx) => {
        const note = await ownNote(tx, id);
        if (note.version !== version) throw new Refusal('changed_meanwhile');
        await requirePeople(tx, note.provider_id, mentions);
        await store.saveText(tx, id, text);
        await store.saveMentions(tx, id, mentions);
        audit(tx, 'note.edited', note);
        return { success: true as const, data: await noteOf(tx, id) };
      }),

    'DELETE /api/notes/{id}': ({ params: { id }, scope, actor, principal }) =>
      db.write(scope, actor, async (tx) => {
        const note = principal.flags.super ? await standing(tx, id) : await ownNote(tx, id);
        await store.removeText(tx, id);
        audit(tx, 'note.removed', note);
        return { success: true as const };
      }),

    'PUT /api/notes/done': async ({ body, scope, actor }) => {
      await db.write(scope, actor, (tx) => store.endMentions(tx, body));
      return { success: true };
    },
  };
}

/** Who may read what the caller writes: its own providers first, super admins alone where it is one. */
function readersFor({ flags }: Principal, providers: readonly { provider_id: string; name: string }[]) {
  const scope = presentScope(flags, noteCalls['POST /api/notes'], null);
  if (scope?.kind === 'all') return [SUPER_ADMINS, ...providers];
  return providers.filter(({ provider_id }) => scope?.providerIds.includes(provider_id));
}

/** @throws Refusal `not_found` where the caller may write none for these readers */
function requireReader(
  principal: Principal,
  providers: readonly { provider_id: string; name: string }[],
  providerId: string | null,
): void {
  if (!readersFor(principal, providers).some(({ provider_id }) => provider_id === providerId))
    throw new Refusal('not_found');
}

async function requireSubject(tx: AnyTx, subject: views.Subject) {
  const providers = await views.listReaders(tx, subject);
  if (!providers) throw new Refusal('not_found');
  return providers;
}

/** @throws Refusal `note_reader_unknown` */
async function requirePeople(tx: Tx, providerId: string | null, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const readers = new Set((await views.listPeople(tx, providerId)).map(({ id }) => id));
  if (people.some((id) => !readers.has(id))) throw new Refusal('note_reader_unknown');
}

async function standing(tx: WriteTx, id: string): Promise<store.LockedNote> {
  const note = await store.lockNote(tx, id);
  if (!note) throw new Refusal('not_found');
  return note;
}

/** @throws Refusal `not_found`, `note_of_another` */
async function ownNote(tx: WriteTx, id: string): Promise<store.LockedNote> {
  const note = await standing(tx, id);
  if (note.author_id !== tx.actor.id) throw new Refusal('note_of_another');
  return note;
}

async function noteOf(tx: WriteTx, id: string): Promise<Note> {
  const note = await views.findNote(tx, id, tx.actor.id);
  if (!note) throw new Refusal('not_found');
  return note;
}

/** The audit records that a note changed, not its text. */
function audit(tx: WriteTx, action: string, { id, subject_kind, subject_id }: store.LockedNote): void {
  tx.audit({ action, target: { kind: subject_kind, id: subject_id }, after: { note_id: id } });
}
