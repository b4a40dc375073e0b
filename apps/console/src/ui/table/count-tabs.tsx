import { clsx } from 'clsx';
import type { KeyboardEvent, ReactNode } from 'react';

interface CountTab<T extends string> {
  id: T;
  label: string;
  /** Of what is behind it. */
  count?: ReactNode;
}

interface CountTabsProps<T extends string> {
  label: string;
  tabs: readonly CountTab<T>[];
  /** Null while the panel shows none of them. */
  active: T | null;
  panelId: string;
  onChange(tab: T): void;
}

const STEP: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export function CountTabs<T extends string>({ label, tabs, active, panelId, onChange }: CountTabsProps<T>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.id === active);
    const step = STEP[event.key];
    const edge = event.key === 'Home' ? 0 : event.key === 'End' ? tabs.length - 1 : undefined;
    const next = tabs[step === undefined ? (edge ?? -1) : (at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.id);
    document.getElementById(`${panelId}-${next.id}`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="flex h-12 w-full gap-3 sm:h-10 sm:w-auto sm:gap-5"
    >
      {tabs.map((tab, index) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${panelId}-${tab.id}`}
          aria-selected={tab.id === active}
          aria-controls={panelId}
          tabIndex={tab.id === active || (active === null && index === 0) ? 0 : -1}
          onClick={() => onChange(tab.id)}
          className={clsx(
            '-mb-px flex flex-1 flex-col items-start justify-center border-b-2 text-sm font-medium whitespace-nowrap transition-colors',
            'sm:flex-row sm:items-center sm:gap-1.5',
            tab.id === active ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="rounded text-start text-xs leading-4 text-muted tabular-nums sm:min-w-10 sm:bg-subtle sm:px-1.5 sm:text-center sm:leading-5">
              {tab.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
