import type { CallAnswer } from '@copydesk/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';

export type SavedView = CallAnswer<'GET /api/saved-views'>['data'][number];
type NewView = Pick<SavedView, 'name' | 'query'>;

/** The reader's own views of the screen: save, replace, delete, and restore. */
export function useSavedViews() {
  const client = useQueryClient();
  const views = useQuery(savedViewsQuery);
  const again = () => void client.invalidateQueries(savedViewsQuery);
  const failed = (error: unknown) =>
    toast({ tone: 'negative', title: 'The view could not be saved', text: messageOf(error) });

  const save = useMutation({
    mutationFn: (view: NewView) =>
      call('POST /api/saved-views', { body: { screen: 'invoices', name: view.name, query: view.query } }),
    onSuccess: ({ data }) => {
      toast({ tone: 'positive', title: 'View saved', text: data.name });
      again();
    },
    onError: failed,
  });
  const forget = useMutation({
    mutationFn: ({ id }: SavedView) => call('DELETE /api/saved-views/{id}', { params: { id } }),
    onSuccess: (_, view) => {
      toast({
        tone: 'neutral',
        title: 'View deleted',
        text: view.name,
        action: { label: 'Undo', onSelect: () => save.mutate(view) },
      });
      again();
    },
    onError: (error) =>
      toast({ tone: 'negative', title: 'The view could not be deleted', text: messageOf(error) }),
  });
  return { views, save, forget };
}

const savedViewsQuery = queryOptions({
  queryKey: ['saved-views', 'invoices'],
  refetchOnMount: true,
  staleTime: 30_000,
  queryFn: async ({ signal }) =>
    (await call('GET /api/saved-views', { query: { screen: 'invoices' }, signal })).data,
});
