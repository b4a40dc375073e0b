import { searchedText } from '@copydesk/domain/text';
import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { Option } from '../../../lib/list/filters.ts';
import { PopoverPanel } from '../../layout/popover-panel.tsx';

const MOST_SHOWN = 200;

interface FilterListboxProps {
  label: string;
  /** What one does here, where it is no filter. */
  title?: string;
  options: readonly Option[];
  value: string | undefined;
  trigger: ReactNode;
  onChange(value: string | undefined): void;
}

/** The opened filter: a combobox over its options. Starts open, because it loads on first use. */
export default function FilterListbox({
  label,
  title,
  options,
  value,
  trigger,
  onChange,
}: FilterListboxProps) {
  const [open, setOpen] = useState(true);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const needle = searchedText(typed).toLowerCase();
  const shown = options.filter((option) => option.label.toLowerCase().includes(needle)).slice(0, MOST_SHOWN);

  const show = (next: boolean) => {
    setOpen(next);
    setTyped('');
    setAt(0);
  };
  const choose = (option: Option | undefined) => {
    // What was typed stays: the options may still be on their way.
    if (!option) return;
    onChange(option.value === value ? undefined : option.value);
    show(false);
  };
  const moveTo = (index: number) => {
    setAt(index);
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowDown: Math.min(at + 1, shown.length - 1),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: shown.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(shown[at]);
    }
  };

  return (
    <Popover.Root open={open} onOpenChange={show}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <PopoverPanel
        align="start"
        aria-label={title ?? `Filter by ${label.toLowerCase()}`}
        className="w-64 overflow-hidden"
      >
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder={`Find ${label.toLowerCase()}`}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-9 w-full border-b border-line bg-transparent px-3 placeholder:text-muted focus:outline-none"
        />
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className="max-h-[200px] overflow-y-auto p-1"
        >
          {shown.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keyboard
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={option.value === value}
              onClick={() => choose(option)}
              onPointerMove={() => setAt(index)}
              className={clsx('flex h-8 items-center gap-2 rounded px-2', index === at && 'bg-subtle')}
            >
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
              {option.note && <span className="shrink-0 text-xs text-muted">{option.note}</span>}
              {option.value === value && (
                <Check aria-hidden="true" className="size-3.5 shrink-0 text-accent" />
              )}
            </div>
          ))}
        </div>
        {shown.length === 0 && (
          <p role="status" className="px-3 pb-3 text-muted">
            Nothing matches
          </p>
        )}
      </PopoverPanel>
    </Popover.Root>
  );
}
