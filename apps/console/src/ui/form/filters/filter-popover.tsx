import { clsx } from 'clsx';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';

interface FilterPopoverProps {
  label: string;
  /** The active value, for screen readers. */
  value: string | undefined;
  /** @param close closes the popover */
  children(close: () => void): ReactNode;
}

/** A filter of more than one field. Its fields are reset each time it opens. */
export function FilterPopover({ label, value, children }: FilterPopoverProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button
          aria-label={value === undefined ? label : `${label}: ${value}`}
          className={clsx('max-sm:gap-1 max-sm:px-2.5', value !== undefined && 'border-accent! text-accent!')}
        >
          {label}
          <ChevronDown className="size-3.5 opacity-70" aria-hidden="true" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`Filter by ${label.toLowerCase()}`}
          className="z-40 w-72 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised p-3 shadow-raised"
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
