import { useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createStore } from '../../../lib/store.ts';
import { type GroupsPage, groupsQuery } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { holdPage } from './held-page.ts';

/** Counts the reader's own changes to invoices: the next list is shown without a notice. */
export const ownChanges = createStore(0);

interface Shown {
  key: string;
  page: GroupsPage;
  /** The page's groups have changed on the server. */
  isOutdated: boolean;
}

/**
 * The page of groups. Changed figures show at once; changes of order or membership wait while the reader is busy with
 * the list. After a change of filters the previous page stays until the new one arrives.
 * @param isBusy whether the reader is using the list
 */
export function useGroupsPage(filters: InvoiceFilters, isBusy: () => boolean) {
  const query = useQuery(groupsQuery(filters));
  const { data, isPlaceholderData } = query;
  const key = JSON.stringify(filters);
  const [shown, setShown] = useState<Shown | null>(null);
  const seenOwn = useRef(ownChanges.get());
  const busy = useRef(isBusy);
  busy.current = isBusy;

  useLayoutEffect(() => {
    if (!data || isPlaceholderData) return;
    const isOwn = seenOwn.current !== ownChanges.get();
    seenOwn.current = ownChanges.get();
    setShown((before) => {
      if (before?.key !== key || isOwn) return { key, page: data, isOutdated: false };
      const { rows, isOutdated } = holdPage(before.page.data, data.data);
      if (!isOutdated || !busy.current()) return { key, page: data, isOutdated: false };
      return { key, page: { ...data, data: rows }, isOutdated };
    });
  }, [data, isPlaceholderData, key]);

  const showNewest = useCallback(() => {
    if (data) setShown({ key, page: data, isOutdated: false });
  }, [data, key]);
  return {
    key,
    page: shown?.page ?? null,
    isStale: shown !== null && shown.key !== key,
    isOutdated: shown?.isOutdated ?? false,
    error: query.error,
    retry: () => void query.refetch(),
    showNewest,
  };
}
