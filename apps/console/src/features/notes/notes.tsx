import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { PanelSection } from '../../ui/layout/panel-section.tsx';
import { NoteDialog, RemoveNoteDialog, useSeen } from './note-dialogs.tsx';
import { type Note, type NotesAnswer, notesQuery, type Subject } from './notes-queries.ts';

const STEP = 5;

interface NotesProps {
  subject: Subject;
  /** Super admins remove notes of others. */
  isSuper: boolean;
}

interface Frame {
  total: number | undefined;
  /** Beside the title. */
  write: ReactNode;
  children: ReactNode;
}

/** What people wrote about something for each other. `frame` decides where it is shown. */
function Notes({ subject, isSuper, frame }: NotesProps & { frame(parts: Frame): ReactNode }) {
  const [limit, setLimit] = useState(STEP);
  const [asked, setAsked] = useState<{ act: 'write' | 'edit' | 'remove'; note: Note | null } | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery(notesQuery(subject, limit));
  const readers = data?.meta.readers ?? [];
  // A reader who may not write sees no empty place to write in.
  if (data && data.meta.total === 0 && readers.length === 0) return null;
  const close = () => setAsked(null);
  return (
    <>
      {frame({
        total: data?.meta.total,
        write: readers.length > 0 && (
          <Button look="quiet" className="h-7!" onClick={() => setAsked({ act: 'write', note: null })}>
            Add note
          </Button>
        ),
        children: (
          <QueryState
            small
            error={
              error && !data ? { title: 'The notes could not be loaded', message: messageOf(error) } : null
            }
            onRetry={() => void refetch()}
            isLoading={!data}
            loading={<Loading text="Loading notes..." />}
            isEmpty={data?.meta.total === 0}
            empty={<p className="pb-1 text-xs text-muted">No notes yet.</p>}
          >
            {data && (
              <NoteList
                answer={data}
                isSuper={isSuper}
                onEdit={(note) => setAsked({ act: 'edit', note })}
                onRemove={(note) => setAsked({ act: 'remove', note })}
              />
            )}
            {data && data.meta.total > data.data.length && (
              <Button
                look="quiet"
                className="mt-1"
                aria-disabled={isPlaceholderData}
                onClick={() => setLimit(limit + STEP)}
              >
                Show earlier notes
              </Button>
            )}
          </QueryState>
        ),
      })}
      {asked && asked.act !== 'remove' && (
        <NoteDialog subject={subject} readers={readers} note={asked.note} onClose={close} />
      )}
      {asked?.act === 'remove' && asked.note && <RemoveNoteDialog note={asked.note} onClose={close} />}
    </>
  );
}

interface NoteListProps {
  answer: NotesAnswer;
  isSuper: boolean;
  onEdit(note: Note): void;
  onRemove(note: Note): void;
}

function NoteList({ answer: { data, meta }, isSuper, onEdit, onRemove }: NoteListProps) {
  const mayWrite = meta.readers.length > 0;
  return (
    <ol aria-label="Notes, newest first" className="divide-y divide-line">
      {data.map((note) => (
        <li key={note.id} className="py-2 first:pt-0.5 last:pb-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
            <Name plain="A note keeps its author's name">{note.author}</Name>
            <When at={note.created_at} />
            {note.edited_at && note.text !== null && <span>changed</span>}
            <span>{note.provider === null ? 'super admins alone' : `staff of ${note.provider}`}</span>
          </p>
          {note.text === null ? (
            <p className="text-muted italic">
              Removed by {note.removed_by}
              {note.removed_at && (
                <>
                  , <When at={note.removed_at} />
                </>
              )}
            </p>
          ) : (
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {note.text}
            </p>
          )}
          <Mentions note={note} />
          {mayWrite && note.text !== null && (note.is_own || isSuper) && (
            <div className="-ms-2 flex gap-1">
              {note.is_own && (
                <Button look="quiet" className="h-6! px-2! text-xs!" onClick={() => onEdit(note)}>
                  Change
                </Button>
              )}
              <Button look="quiet" className="h-6! px-2! text-xs!" onClick={() => onRemove(note)}>
                Remove
              </Button>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Who is asked to look, and whether each has. */
function Mentions({ note: { mentions, subject_kind, subject_id } }: { note: Note }) {
  const seen = useSeen({ subject_kind, subject_id });
  if (mentions.length === 0) return null;
  const isOpen = mentions.some(({ is_you, is_done }) => is_you && !is_done);
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <span>
        For{' '}
        {mentions.map(({ id, name, is_you, is_done }, nth) => (
          <span key={id} className={is_you && !is_done ? 'font-medium text-caution' : undefined}>
            {nth > 0 && ', '}
            <bdi>{is_you ? 'you' : name}</bdi>
            {is_done && ' (seen)'}
          </span>
        ))}
      </span>
      {isOpen && (
        <Button
          look="outline"
          className="h-6! px-2! text-xs!"
          aria-disabled={seen.isBusy}
          onClick={() => seen.onConfirm()}
        >
          Seen
        </Button>
      )}
    </div>
  );
}

/** On a page. */
export const NotesPanel = (props: NotesProps) => (
  <Notes
    {...props}
    frame={({ total, write, children }) => (
      <Panel title="Notes" count={total || undefined} actions={write}>
        {children}
      </Panel>
    )}
  />
);

/** In a side panel. */
export const NotesSection = (props: NotesProps) => (
  <Notes
    {...props}
    frame={({ write, children }) => (
      <PanelSection title="Notes" note={write}>
        {children}
      </PanelSection>
    )}
  />
);
