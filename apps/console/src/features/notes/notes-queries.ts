import type { CallAnswer } from '@copydesk/contract';
import type { NoteSubject } from '@copydesk/domain/notes';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

export type NotesAnswer = CallAnswer<'GET /api/notes'>;
export type Note = NotesAnswer['data'][number];
export type Reader = NotesAnswer['meta']['readers'][number];

/** What notes are about. */
export interface Subject {
  subject_kind: NoteSubject;
  subject_id: string;
}

export const NOTES_KEY = ['notes'] as const;

/** Notes raise no change events. */
const READ_AGAIN_MS = 30_000;

export const notesQuery = (subject: Subject, limit: number) =>
  queryOptions({
    queryKey: [...NOTES_KEY, 'list', subject, limit],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/notes', { query: { ...subject, limit: String(limit) }, signal }),
  });

export const noteReadersQuery = (subject: Subject, providerId: string | null) =>
  queryOptions({
    queryKey: [...NOTES_KEY, 'people', subject, providerId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/notes/people', {
          query: { ...subject, ...(providerId !== null && { provider_id: providerId }) },
          signal,
        })
      ).data,
  });
