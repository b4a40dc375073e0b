import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useMedia } from './use-media.ts';

interface SidePanelProps {
  title: ReactNode;
  /** The name of the panel, for screen readers. */
  label: string;
  /** Content below the title that does not scroll. */
  head?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** Below this width there is no room beside a list. */
const NARROW = '(max-width: 1279px)';

/**
 * Detail beside a list that stays usable; on narrow screens it covers the list. Escape closes it and returns the focus.
 */
export function SidePanel(props: SidePanelProps) {
  const narrow = useMedia(NARROW);
  return narrow ? <Sheet {...props} /> : <Beside {...props} />;
}

function Beside({ title, label, head, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  useFocusWithin(panel);
  useEscape(panel, onClose);
  return (
    <aside
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className="flex w-104 shrink-0 flex-col overflow-hidden rounded-lg border border-line bg-surface outline-none"
    >
      <Head title={title} head={head} close={<CloseButton onClick={onClose} />} />
      <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
    </aside>
  );
}

function Sheet({ title, label, head, onClose, children }: SidePanelProps) {
  const opener = useRef(document.activeElement);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            if (!(opener.current instanceof HTMLElement && opener.current.isConnected)) return;
            event.preventDefault();
            opener.current.focus();
          }}
          className="fixed inset-y-0 end-0 z-30 flex w-full max-w-md flex-col border-line bg-surface shadow-raised outline-none sm:border-s"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Head
            title={title}
            head={head}
            close={
              <Radix.Close asChild>
                <CloseButton />
              </Radix.Close>
            }
          />
          <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Head({ title, head, close }: { title: ReactNode; head: ReactNode; close: ReactNode }) {
  return (
    <div className="shrink-0 border-b border-line px-4 py-2.5">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 text-base font-semibold">{title}</div>
        {close}
      </div>
      {head}
    </div>
  );
}

function CloseButton(props: { onClick?: () => void }) {
  return (
    <button
      type="button"
      aria-label="Close panel"
      title="Close (Esc)"
      className="-me-1.5 flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
      {...props}
    >
      <X className="size-4" aria-hidden="true" />
    </button>
  );
}

/** Takes the focus when the panel opens and returns it when the panel closes. */
function useFocusWithin(panel: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const opener = document.activeElement;
    const opened = panel.current;
    opened?.focus();
    return () => {
      const hasFocus = document.activeElement === document.body || opened?.contains(document.activeElement);
      if (hasFocus && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [panel]);
}

/** Menus, dialogs and popovers handle Escape themselves; so do fields elsewhere on the screen. */
function useEscape(panel: RefObject<HTMLElement | null>, onClose: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const { target } = event;
      const isField = target instanceof Element && target.closest('input[type="search"], [role="dialog"]');
      if (isField && !panel.current?.contains(target)) return;
      onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [panel, onClose]);
}
