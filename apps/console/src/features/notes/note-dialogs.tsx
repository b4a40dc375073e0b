import { NOTE_LENGTH } from '@copydesk/domain/notes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import { ATTENTION_KEY } from '../../lib/live/attention-key.ts';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { CheckList } from '../../ui/form/check-list.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { useDialogForm } from '../../ui/form/use-dialog-form.ts';
import { NOTES_KEY, type Note, noteReadersQuery, type Reader, type Subject } from './notes-queries.ts';

interface NoteDialogProps {
  subject: Subject;
  readers: readonly Reader[];
  /** The note that is changed; null: a new one. */
  note: Note | null;
  onClose(): void;
}

/** A select has no null. */
const keyOfReader = (providerId: string | null) => providerId ?? '';
const readerWords = ({ provider_id, name }: Reader) =>
  provider_id === null ? 'super admins alone' : `the staff of ${name} and super admins`;
const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Writes a note, or changes one's own: for whom, what it says, and who should look. */
export function NoteDialog({ subject, readers, note, onClose }: NoteDialogProps) {
  const form = useDialogForm({
    values: {
      reader: keyOfReader(note ? note.provider_id : (readers[0]?.provider_id ?? null)),
      text: note?.text ?? '',
      mentions: note?.mentions.map(({ id }) => id) ?? [],
    },
    findErrors: ({ text }) => {
      if (text.trim() === '') return { text: 'Write something' };
      return text.length > NOTE_LENGTH ? { text: `At most ${NOTE_LENGTH} characters` } : null;
    },
    send: ({ reader, text, mentions }, keyOf) => {
      if (note)
        return call('PATCH /api/notes/{id}', {
          params: { id: note.id },
          body: { text, mentions, version: note.version },
        });
      const body = { ...subject, provider_id: reader === '' ? null : reader, text, mentions };
      return call('POST /api/notes', { body, idempotencyKey: keyOf(body) });
    },
    done: () => ({ title: note ? 'Note changed' : 'Note added' }),
    reads: NOTES_KEY,
    onDone: onClose,
  });
  const { reader } = form.values;
  const { data: people, error } = useQuery(noteReadersQuery(subject, reader === '' ? null : reader));
  const own = readers.find(({ provider_id }) => keyOfReader(provider_id) === reader);
  return (
    <FormDialog
      form={error ? { ...form, error: messageOf(error) } : form}
      title={note ? 'Change this note' : 'Add a note'}
      text={`${own ? `Read by ${readerWords(own)}. ` : ''}Traders and owners never see it. Write no keys and no passwords.`}
      confirm={note ? 'Save' : 'Add note'}
      busy="Saving..."
      leave="Cancel"
      onClose={onClose}
    >
      <TextField label="Note" name="text" rows={5} maxLength={NOTE_LENGTH} dir="auto" data-first-focus />
      {!note && readers.length > 1 && (
        <SelectField
          label="Who reads it"
          name="reader"
          options={readers.map((one) => ({
            value: keyOfReader(one.provider_id),
            label: sentence(readerWords(one)),
          }))}
        />
      )}
      {people && people.length > 0 && (
        <CheckList
          legend="Ask to look"
          name="mentions"
          layout="grid max-h-40 gap-1 overflow-y-auto"
          options={people.map(({ id, name, email }) => ({
            value: id,
            label: (
              <>
                <bdi>{name}</bdi> {name !== email && <span className="text-muted">{email}</span>}
              </>
            ),
          }))}
          hint="They find it in their Attention"
        />
      )}
    </FormDialog>
  );
}

/** Asks before the text of a note is removed. */
export function RemoveNoteDialog({ note, onClose }: { note: Note; onClose(): void }) {
  const act = useAct({
    send: () => call('DELETE /api/notes/{id}', { params: { id: note.id } }),
    done: () => ({ title: 'Note removed' }),
    reads: NOTES_KEY,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Remove this note"
      text="Its text is deleted for everybody. That a note was here, by whom, and who removed it stays."
      confirm="Remove"
      busy="Removing..."
      leave="Cancel"
      isDanger
      onClose={onClose}
      {...act}
    />
  );
}

/** The reader has seen what mentions it. */
export function useSeen(subject: Subject) {
  const client = useQueryClient();
  return useAct({
    send: () => call('PUT /api/notes/done', { body: subject }),
    done: () => null,
    reads: NOTES_KEY,
    onDone: () => invalidate(client, { queryKey: ATTENTION_KEY }),
  });
}
