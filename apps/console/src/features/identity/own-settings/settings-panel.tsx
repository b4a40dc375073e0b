import type { DateFormat, Density, NumberFormat, StartScreen, Theme } from '@copydesk/domain/person';
import { useState } from 'react';
import { formatDate } from '../../../lib/format/read-time.ts';
import { minuteWords } from '../../../lib/format/zone-time.ts';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { useChangeSettings } from '../../../ui/form/change-settings.ts';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { SignedInUser } from '../identity.ts';
import { startScreensOf } from './start-screens.ts';
import { TimeZoneField } from './time-zone-field.tsx';

const NUMBERS: Record<NumberFormat, string> = {
  comma_point: '1,234.56',
  point_comma: '1.234,56',
  space_comma: '1 234,56',
  apostrophe_point: "1'234.56",
};
const DATES: Record<DateFormat, string> = {
  month_day: 'Nov 21, 2026',
  day_month: '21 Nov 2026',
  iso: '2026-11-21',
};
/** The words of the navigation. */
const SCREENS: Record<StartScreen, string> = {
  overview: 'Overview',
  attention: 'Attention',
  traders: 'Traders',
  communities: 'Communities',
  pools: 'Pools',
  invoices: 'Invoices',
  payouts: 'Transaction History',
  dashboard: 'Super Admin',
};
const THEMES: Record<Theme, string> = { system: 'As the device has it', light: 'Light', dark: 'Dark' };
const DENSITIES: Record<Density, string> = { comfortable: 'Comfortable', compact: 'Compact' };

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** How the product is shown to its reader. Each choice counts at once, and on every device. */
export function SettingsPanel({ user }: { user: SignedInUser }) {
  const settings = usePersonSettings();
  const { mutate: change, status } = useChangeSettings();
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] items-start gap-4">
      <Panel title="Times and numbers" note={<Saving status={status} />}>
        <div className="grid gap-4 sm:grid-cols-3">
          <TimeZoneField value={settings.time_zone} onChange={(time_zone) => change({ time_zone })} />
          <SelectField
            label="Dates"
            options={optionsOf(DATES)}
            value={settings.dates}
            onChange={({ target }) => change({ dates: target.value as DateFormat })}
          />
          <SelectField
            label="Numbers"
            options={optionsOf(NUMBERS)}
            value={settings.numbers}
            onChange={({ target }) => change({ numbers: target.value as NumberFormat })}
          />
        </div>
        <Example />
      </Panel>
      <Panel title="Screens">
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField
            label="Start with"
            options={startScreensOf(user).map((value) => ({ value, label: SCREENS[value] }))}
            value={settings.start_screen}
            onChange={({ target }) => change({ start_screen: target.value as StartScreen })}
          />
          <SelectField
            label="Theme"
            options={optionsOf(THEMES)}
            value={settings.theme}
            onChange={({ target }) => change({ theme: target.value as Theme })}
          />
          <SelectField
            label="Rows of tables"
            options={optionsOf(DENSITIES)}
            value={settings.density}
            onChange={({ target }) => change({ density: target.value as Density })}
          />
        </div>
        <div className="mt-4">
          <CheckField
            label="Keyboard shortcuts"
            hint="Single keys outside of fields, such as / for the search of a list."
            checked={settings.shortcuts}
            onChange={({ target }) => change({ shortcuts: target.checked })}
          />
        </div>
      </Panel>
    </div>
  );
}

const SAVING = { idle: null, pending: 'Saving…', success: 'Saved', error: 'Not saved' };

function Saving({ status }: { status: keyof typeof SAVING }) {
  return <span role="status">{SAVING[status]}</span>;
}

/** What the present choices look like. */
function Example() {
  const [now] = useState(() => new Date().toISOString());
  return (
    <div className="mt-4 rounded-md bg-subtle px-3 py-2">
      <p className="tabular-nums">
        <span className="text-muted">Now: </span>
        {formatDate(now)}, {minuteWords(now)} · <Money amount="1234.56" />
      </p>
      <p className="mt-1 text-xs text-pretty text-muted">
        Days of filters, charts and due dates are days of UTC. Amounts are typed with a point.
      </p>
    </div>
  );
}
