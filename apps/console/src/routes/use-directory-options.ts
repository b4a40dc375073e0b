import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { communitiesQuery, providersQuery } from '../features/providers/directory-queries.ts';

/** Communities and providers in scope, as filter options. */
export function useDirectoryOptions() {
  const communities = useQuery(communitiesQuery);
  const providers = useQuery(providersQuery);
  return useMemo(
    () => ({
      communities: (communities.data ?? []).map(({ id, name, is_archived }) => ({
        value: id,
        label: name,
        note: is_archived ? 'Archived' : undefined,
      })),
      providers: (providers.data ?? []).map(({ id, display_name }) => ({ value: id, label: display_name })),
    }),
    [communities.data, providers.data],
  );
}
