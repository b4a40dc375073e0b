import type { CallAnswer } from '@copydesk/contract';
import { AS_IS, type ListLayout, type ListName } from '@copydesk/domain/person';
import { queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { call } from '../../lib/api/api.ts';
import { drafts, ownLists } from '../../lib/list/own-lists.ts';
import { useStore } from '../../lib/store.ts';

export type SavedView = CallAnswer<'GET /api/saved-views'>['data'][number];

export const savedViewsQuery = (screen: ListName) =>
  queryOptions({
    queryKey: ['saved-views', screen],
    refetchOnMount: true,
    staleTime: 30_000,
    queryFn: async ({ signal }) => (await call('GET /api/saved-views', { query: { screen }, signal })).data,
  });

export interface ViewsProps {
  screen: ListName;
  list: { viewOf(search: object): string; searchOf(query: string): Record<string, string | undefined> };
  /** The parameters of the URL. */
  search: { saved?: string | undefined; [name: string]: unknown };
  columns: ReturnType<typeof useListLayout>;
  /** How many rows a view has, by its parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query is its own affair
  countOf?(query: string): UseQueryOptions<any, Error, number, any>;
  // biome-ignore lint/suspicious/noExplicitAny: each screen has parameters of its own, which its reader checks
  onApply(search: any): void;
}

/** Drawing a column wider changes the layout with every frame; only where it ends is kept. */
const KEPT_AFTER_MS = 600;

/**
 * The arrangement of a list's columns: that of the open view, or the person's own. A change is kept for the
 * person, on every device; one of a view's columns is kept once the view is saved.
 * @param viewId the saved view that was opened last
 */
export function useListLayout(screen: ListName, viewId: string | undefined) {
  const own = useStore(ownLists);
  const views = useQuery({ ...savedViewsQuery(screen), enabled: viewId !== undefined });
  const ofView = views.data?.find(({ id }) => id === viewId)?.layout ?? null;
  const key = ofView ? `${screen} ${viewId}` : screen;
  const draft = useStore(drafts)[key];
  const { isReadOnly } = own;
  const layout = draft ?? ofView ?? own.lists[screen] ?? AS_IS;

  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; send(): void }>(undefined);
  const keep = useCallback(
    (next: ListLayout) => {
      clearTimeout(waiting.current?.timer);
      const send = () => {
        waiting.current = undefined;
        void import('./keep-layout.ts').then(({ keepLayout }) => keepLayout(screen, next));
      };
      waiting.current = { timer: setTimeout(send, KEPT_AFTER_MS), send };
    },
    [screen],
  );
  // Keeps the arrangement of a person who leaves the screen at once.
  useEffect(
    () => () => {
      clearTimeout(waiting.current?.timer);
      waiting.current?.send();
    },
    [],
  );
  const onChange = useCallback(
    (next: ListLayout) => {
      drafts.set({ ...drafts.get(), [key]: next });
      if (!ofView && !isReadOnly) keep(next);
    },
    [key, ofView, isReadOnly, keep],
  );
  return useMemo(
    () => ({
      layout,
      onChange,
      /** The columns of the open view were changed since. */
      isChanged: ofView !== null && draft !== undefined && JSON.stringify(draft) !== JSON.stringify(ofView),
      /** Back to the columns of the view that is opened. */
      forget: (id: string) => drafts.set({ ...drafts.get(), [`${screen} ${id}`]: undefined }),
    }),
    [layout, onChange, ofView, draft, screen],
  );
}
