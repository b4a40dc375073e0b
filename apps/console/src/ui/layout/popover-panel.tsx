import { clsx } from 'clsx';
import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';

type Content = ComponentProps<typeof Popover.Content>;

/** What opens beside the trigger of a `Popover.Root`, within the window. */
export function PopoverPanel({ className, ...props }: Content & Required<Pick<Content, 'aria-label'>>) {
  return (
    <Popover.Portal>
      <Popover.Content
        sideOffset={4}
        collisionPadding={8}
        className={clsx(
          'z-40 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised shadow-raised',
          className,
        )}
        {...props}
      />
    </Popover.Portal>
  );
}
