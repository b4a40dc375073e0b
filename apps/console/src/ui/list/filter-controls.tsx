import { clsx } from 'clsx';
import { optionsOf, otherEnd } from '../../lib/list/filter-faces.ts';
import type { Filters, Sources, ValuesOf } from '../../lib/list/filters.ts';
import { Button } from '../form/button.tsx';
import { FilterRange } from '../form/filters/filter-range.tsx';
import { FilterSelect } from '../form/filters/filter-select.tsx';

export interface FilterControlsProps<F extends Filters> {
  /** The filters of a list, described. */
  filters: F;
  values: ValuesOf<F>;
  sources: Sources;
  onChange(change: ValuesOf<F>): void;
}

/** A control for each filter that has a face, in the order of the list's description. */
export function FilterControls<F extends Filters>({
  filters,
  values,
  sources,
  onChange,
}: FilterControlsProps<F>) {
  const all: Record<string, string | undefined> = values;
  /** Only what the filter's own reader takes gets into the URL. */
  const change = (changes: Record<string, string | undefined>) =>
    onChange(
      Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [name, filters[name]?.read(value)]),
      ) as ValuesOf<F>,
    );
  return Object.entries(filters).map(([name, { face }]) => {
    if (!face) return null;
    if ('end' in face) {
      const other = otherEnd(filters, face);
      // The first end has the control of both.
      if (face.end === 'to' || !other) return null;
      return (
        <FilterRange
          key={name}
          kind={face.kind}
          label={face.label}
          from={all[name]}
          to={all[other]}
          onChange={({ from, to }) => change({ [name]: from, [other]: to })}
        />
      );
    }
    if (face.kind === 'word') return null;
    if (face.kind === 'toggle') {
      const isOn = all[name] === 'true';
      return (
        <Button
          key={name}
          aria-pressed={isOn}
          className={clsx('max-sm:px-2.5', isOn && 'border-accent! text-accent!')}
          onClick={() => change({ [name]: isOn ? undefined : 'true' })}
        >
          {face.label}
        </Button>
      );
    }
    return (
      <FilterSelect
        key={name}
        label={face.label}
        options={optionsOf(face, sources)}
        value={all[name]}
        onChange={(value) => change({ [name]: value })}
      />
    );
  });
}
