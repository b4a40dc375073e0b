import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { InvoiceGroup } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { STEP_ROWS } from './group-invoices-query.ts';
import { groupKey } from './held-page.ts';
import { isEmpty } from './selection.ts';
import { type TreeRow, treeRows } from './tree-rows.ts';
import { useGroupsPage } from './use-groups-page.ts';
import { useSelection } from './use-selection.ts';
import { useUnfolded } from './use-unfolded.ts';

/** Rows beyond the viewport whose groups are loaded as well. */
const AHEAD_LINES = 10;
const NO_GROUPS: readonly InvoiceGroup[] = [];

/** The list of the screen: the page of groups, their unfolded contents, and the selection. */
export function useInvoiceList(filters: InvoiceFilters, element: RefObject<HTMLElement | null>) {
  const isInUse = useRef(false);
  const isBusy = () =>
    isInUse.current ||
    element.current?.matches(':hover') === true ||
    element.current?.contains(document.activeElement) === true;
  const groupsPage = useGroupsPage(filters, isBusy);
  const groups = groupsPage.page?.data ?? NO_GROUPS;

  const lines = useRef<readonly TreeRow[]>([]);
  // A string, so that scrolling within the same groups renders only the table, not the whole screen.
  const [view, setView] = useState('');
  const inView = useMemo(() => new Set(view.split('\n')), [view]);
  const range = useRef({ first: 0, last: 0 });
  const look = useCallback(() => {
    const { first, last } = range.current;
    const around = lines.current.slice(Math.max(0, first - AHEAD_LINES), last + AHEAD_LINES);
    setView([...new Set(around.map(({ group }) => groupKey(group)))].join('\n'));
  }, []);
  const setRange = useCallback(
    (next: { first: number; last: number }) => {
      range.current = next;
      look();
    },
    [look],
  );
  const { unfolded, holders, ...folding } = useUnfolded(filters, groups, inView);
  const rows = useMemo(() => treeRows(groups, unfolded, STEP_ROWS), [groups, unfolded]);
  useEffect(() => {
    lines.current = rows;
    look();
  }, [rows, look]);

  const ticking = useSelection(groupsPage.key, { groups, holders }, rows);
  isInUse.current = !isEmpty(ticking.selection) || unfolded.isAny;
  return { ...groupsPage, groups, rows, unfolded, folding, ticking, setRange };
}
