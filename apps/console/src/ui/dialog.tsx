import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

interface DialogProps {
  title: string;
  text: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, text, onClose, children }: DialogProps) {
  // What had the focus before, asked for before a field of the dialog takes it by itself.
  const [opener] = useState(() => document.activeElement);
  const giveFocusBack = (event: Event) => {
    if (!(opener instanceof HTMLElement && opener.isConnected)) return;
    event.preventDefault();
    opener.focus();
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          onCloseAutoFocus={giveFocusBack}
          className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-lg border border-line bg-raised p-5 shadow-raised focus:outline-none"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Close
              aria-label="Close"
              className="-m-1 flex size-7 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Radix.Close>
          </div>
          <Radix.Description className="mt-1 mb-4 text-muted">{text}</Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
