import { lazy } from 'react';
import { rangeWords } from '../../../lib/list/filter-faces.ts';
import { FilterTrigger } from './filter-select.tsx';

interface FilterRangeProps {
  kind: 'days' | 'amounts';
  label: string;
  /** Either end may be open. The first day may be a name of days that move with today. */
  from: string | undefined;
  to: string | undefined;
  onChange(ends: { from: string | undefined; to: string | undefined }): void;
}

const loadPopover = () => import('./range-popover.tsx');
const RangePopover = lazy(loadPopover);

/** A filter by two ends: days or amounts. */
export function FilterRange(props: FilterRangeProps) {
  const { kind, label, from, to } = props;
  return (
    <FilterTrigger label={label} value={rangeWords(kind, { from, to })} load={loadPopover}>
      {(trigger) => <RangePopover {...props} trigger={trigger} />}
    </FilterTrigger>
  );
}
