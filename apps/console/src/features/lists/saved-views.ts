import type { ListName } from '@copydesk/domain/person';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import { ownLists } from '../../lib/list/own-lists.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { type SavedView, savedViewsQuery } from './list-layout.ts';

export type NewView = Pick<SavedView, 'name' | 'query' | 'layout' | 'is_shared'>;

/** The views of a list: the reader's own, and those shared with the reader. */
export function useSavedViews(screen: ListName) {
  const client = useQueryClient();
  const views = useQuery(savedViewsQuery(screen));
  const again = () => void invalidate(client, savedViewsQuery(screen));
  const failing = (title: string) => (error: unknown) =>
    toast({ tone: 'negative', title, text: messageOf(error) });

  const save = useMutation({
    mutationFn: (view: NewView) => call('POST /api/saved-views', { body: { ...view, screen } }),
    onSuccess: ({ data }) => {
      toast({ tone: 'positive', title: 'View saved', text: data.name });
      again();
    },
    onError: failing('The view could not be saved'),
  });
  const forget = useMutation({
    mutationFn: ({ id }: SavedView) => call('DELETE /api/saved-views/{id}', { params: { id } }),
    onSuccess: (_, { name, query, layout, is_shared }) => {
      toast({
        tone: 'neutral',
        title: 'View deleted',
        text: name,
        action: { label: 'Undo', onSelect: () => save.mutate({ name, query, layout, is_shared }) },
      });
      again();
    },
    onError: failing('The view could not be deleted'),
  });
  const choose = useMutation({
    mutationFn: (view: SavedView) =>
      call('PUT /api/saved-views/default', { body: { screen, view_id: view.is_default ? null : view.id } }),
    onSuccess: (_, { id, name, query, layout, is_default }) => {
      toast({
        tone: 'positive',
        title: is_default ? 'The list opens as usual again' : 'The list opens with this view',
        text: name,
      });
      again();
      const { default_views, ...rest } = ownLists.get();
      ownLists.set({
        ...rest,
        default_views: { ...default_views, [screen]: is_default ? undefined : { id, query, layout } },
      });
    },
    onError: failing('The view could not be chosen'),
  });
  return { views, save, forget, choose };
}
