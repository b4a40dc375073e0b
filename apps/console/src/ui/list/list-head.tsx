import { clsx } from 'clsx';
import { type ComponentProps, useCallback } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import type { Filters, ValuesOf } from '../../lib/list/filters.ts';
import { CountTabs } from '../table/count-tabs.tsx';
import { ListToolbar } from './list-toolbar.tsx';

interface ListTabs<S extends string> {
  label: string;
  panelId: string;
  /** All tabs but the first, which lists everything. */
  ids: readonly S[];
  labelOf(id: S): string;
  /** How many there are in one of them, or in all; undefined while it is not known. */
  countOf: ((id: S | undefined) => string) | undefined;
  active: S | undefined;
  onChange(id: S | undefined): void;
}

/** For `countOf`, where each one is in one tab. */
export const countIn =
  <S extends string>(counts: Record<S, number>) =>
  (id: S | undefined) =>
    formatCount(id ? counts[id] : Object.values<number>(counts).reduce((sum, n) => sum + n, 0));

/** More than these do not fit beside each other. */
const TABS_IN_SIGHT = 5;

type Toolbar<F extends Filters> = Pick<
  ComponentProps<typeof ListToolbar<F>>,
  'list' | 'values' | 'sources' | 'sort' | 'children'
>;

interface ListHeadProps<S extends string, F extends Filters> extends Toolbar<F> {
  /** What is listed, within a sentence. */
  what: string;
  tabs: ListTabs<S>;
  search: { label: string; placeholder: string };
  /** How many were found, in words; undefined while it is not known. */
  found: string | undefined;
  error: Error | null;
  onChange(change: ValuesOf<F>, how?: { replace: boolean }): void;
}

/** Above a list with a tab for each state: the tabs with their counts, search, filters, and how many were found. */
export function ListHead<S extends string, F extends Filters>(props: ListHeadProps<S, F>) {
  const { what, tabs, search, found, error, onChange, ...toolbar } = props;
  const changeText = useCallback(
    (text: string | undefined) => onChange({ search: text } as ValuesOf<F>, { replace: true }),
    [onChange],
  );
  const ids = ['all', ...tabs.ids] as const;
  return (
    <>
      <div className={clsx('flex border-b border-line', ids.length > TABS_IN_SIGHT && 'overflow-x-auto')}>
        <CountTabs
          label={tabs.label}
          panelId={tabs.panelId}
          active={tabs.active ?? 'all'}
          tabs={ids.map((id) => ({
            id,
            label: id === 'all' ? 'All' : tabs.labelOf(id),
            count: tabs.countOf ? tabs.countOf(id === 'all' ? undefined : id) : '\u00a0',
          }))}
          onChange={(id) => tabs.onChange(id === 'all' ? undefined : id)}
        />
      </div>
      <ListToolbar
        {...toolbar}
        onChange={onChange}
        search={{ ...search, value: toolbar.values.search, onChange: changeText }}
        found={found ?? (error ? '' : `Loading ${what}...`)}
      />
    </>
  );
}
