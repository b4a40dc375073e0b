import { Popover } from 'radix-ui';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';

interface TipProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  text: ReactNode | (() => Promise<string>);
  onClose(): void;
}

const keepFocus = (event: Event) => event.preventDefault();

/** An explanation beside its button, which keeps the focus. Loaded on demand. */
export default function Tip({ id, anchor, text, onClose }: TipProps) {
  const [loaded, setLoaded] = useState('');
  useEffect(() => {
    if (typeof text === 'function') text().then(setLoaded, () => {});
  }, [text]);
  const words = typeof text === 'function' ? loaded : text;
  if (words === '') return null;
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal container={document.querySelector('main')}>
        <Popover.Content
          id={id}
          role="tooltip"
          side="top"
          sideOffset={4}
          collisionPadding={8}
          // Its button closes it when it loses the focus. The event that gave it the focus is still on its way up here.
          onFocusOutside={keepFocus}
          onOpenAutoFocus={keepFocus}
          onCloseAutoFocus={keepFocus}
          className="z-50 max-w-72 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs shadow-raised"
        >
          {words}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
