import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';

const LOOKS = {
  done: { bar: 'bg-positive', text: 'text-ink', word: 'done', icon: Check },
  skipped: { bar: 'bg-line-strong', text: 'text-muted', word: 'skipped', icon: Minus },
  running: { bar: 'bg-accent', text: 'text-accent', word: 'running', icon: null },
  failed: { bar: 'bg-negative', text: 'text-negative', word: 'failed', icon: X },
  ahead: { bar: 'bg-line', text: 'text-muted', word: 'to come', icon: null },
} as const;

export interface Step {
  id: string;
  label: string;
  state: keyof typeof LOOKS;
  /** How long it took, or takes so far. */
  note?: ReactNode;
}

/** The steps of something that takes a while: how far it has come. Beside each other where there is room for all. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <div className="@container">
      <ol aria-label={label} className="grid gap-x-1 @lg:auto-cols-fr @lg:grid-flow-col">
        {steps.map(({ id, label: name, state, note }) => {
          const { bar, text, word, icon: Icon } = LOOKS[state];
          const isPresent = state === 'running' || state === 'failed';
          return (
            <li
              key={id}
              aria-current={isPresent ? 'step' : undefined}
              className="flex min-w-0 gap-x-2.5 @lg:flex-col"
            >
              <span
                aria-hidden="true"
                className={clsx('w-1 shrink-0 rounded-full @lg:mb-1.5 @lg:h-1 @lg:w-auto', bar)}
              />
              <div className="flex min-w-0 flex-1 items-baseline justify-between gap-x-2 py-1 @lg:flex-col @lg:py-0">
                <span className={clsx('flex items-center gap-1', text, isPresent && 'font-semibold')}>
                  {name}
                  {Icon && <Icon className="size-3 shrink-0" aria-hidden="true" />}
                  <span className="sr-only">, {word}</span>
                </span>
                {note && <span className="text-xs text-muted tabular-nums">{note}</span>}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
