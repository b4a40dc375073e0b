import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { deviceZone } from '../../../lib/format/read-time.ts';
import type { Option } from '../../../lib/list/filters.ts';
import FilterListbox from '../../../ui/form/filters/filter-listbox.tsx';

const LABEL = 'Time zone';
const nameOf = (zone: string) => zone.replaceAll('_', ' ');

/** UTC and the zone of the device come first: most people choose one of them. */
function zoneOptions(): Option[] {
  const device = deviceZone();
  const first = [...new Set(['UTC', device])];
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone));
  return [...first, ...others].map((zone) => ({
    value: zone,
    label: nameOf(zone),
    ...(zone === device && { note: 'This device' }),
  }));
}

/** A time zone, found by a part of its name. */
export function TimeZoneField({ value, onChange }: { value: string; onChange(zone: string): void }) {
  const [options] = useState(zoneOptions);
  const [wanted, setWanted] = useState(false);
  const trigger = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${LABEL}: ${nameOf(value)}`}
      onClick={wanted ? undefined : () => setWanted(true)}
      className="flex h-9 w-full items-center justify-between gap-2 rounded-md border border-control bg-surface ps-3.5 pe-2.5 text-start"
    >
      <span className="truncate">{nameOf(value)}</span>
      <ChevronDown className="size-3.5 shrink-0 opacity-70" aria-hidden="true" />
    </button>
  );
  return (
    <div>
      <p className="mb-1 font-medium" aria-hidden="true">
        {LABEL}
      </p>
      {wanted ? (
        <FilterListbox
          label={LABEL}
          title="Choose a time zone"
          options={options}
          value={value}
          trigger={trigger}
          // Choosing the present zone again keeps it.
          onChange={(zone) => zone !== undefined && onChange(zone)}
        />
      ) : (
        trigger
      )}
    </div>
  );
}
