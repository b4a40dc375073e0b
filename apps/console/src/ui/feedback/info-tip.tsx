import Info from 'lucide-react/icons/info';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';

/** Explains the text beside it on hover, tap or keyboard focus. */
export function InfoTip({ about, text }: { about: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Tooltip.Provider delayDuration={150}>
      <Tooltip.Root open={isOpen} onOpenChange={setOpen}>
        <Tooltip.Trigger
          type="button"
          aria-label={`About ${about}`}
          // Touch has no hover: a tap opens it.
          onClick={(event) => {
            event.preventDefault();
            setOpen(true);
          }}
          // Focus scrolls to what is out of sight, and a scroll closes the tip: it opens again where it stands.
          onFocus={({ currentTarget }) =>
            requestAnimationFrame(() => document.activeElement === currentTarget && setOpen(true))
          }
          className="inline-flex size-5 items-center justify-center rounded text-muted hover:text-ink"
        >
          <Info className="size-3.5" aria-hidden="true" />
        </Tooltip.Trigger>
        <Tooltip.Portal container={document.querySelector('main')}>
          <Tooltip.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-w-64 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs shadow-raised"
          >
            {text}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
