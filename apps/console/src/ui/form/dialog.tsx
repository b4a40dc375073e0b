import { clsx } from 'clsx';
import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { toasts } from '../feedback/toast-store.ts';

interface DialogProps {
  title: string;
  text: string;
  /** Wide enough for a table. Its content scrolls: `DialogBody`, then `DialogFoot`. */
  wide?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** What had the focus before each open dialog, the latest first. */
const openersOf = new WeakMap<Element, HTMLElement[]>();

/**
 * The element with the focus, or the button of its menu: an item is gone once its menu closes. In a dialog that another
 * one may replace, what opened that as well.
 */
function findOpeners(): HTMLElement[] {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const opener = (menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')) ?? focused;
  const before = openersOf.get(opener?.closest('[role="dialog"]') ?? document.body) ?? [];
  return opener instanceof HTMLElement ? [opener, ...before] : before;
}

const CHOICES = 'button, input:not([type=hidden]), select, textarea, a[href], [tabindex="0"]';

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, text, wide = false, onClose, children }: DialogProps) {
  // The element with the focus before, captured before a field of the dialog autofocuses.
  const [openers] = useState(findOpeners);
  const giveFocusBack = (event: Event) => {
    const opener = openers.find(({ isConnected }) => isConnected);
    if (!opener) return;
    event.preventDefault();
    // A dialog that replaced it, once its content had loaded, keeps the focus.
    const open = [...document.querySelectorAll('[role="dialog"][data-state="open"]')].at(-1);
    if (open && !open.contains(opener)) return;
    opener.focus();
  };
  const content = useRef<HTMLDivElement>(null);
  const setContent = (element: HTMLDivElement | null) => {
    content.current = element;
    if (element) openersOf.set(element, openers);
  };
  useEffect(() => {
    // A toast that appears after the dialog is the layer above it, and would take the key.
    const closeBeforeToasts = (event: KeyboardEvent) => {
      const own = content.current;
      if (event.key !== 'Escape' || toasts.get().length === 0 || !own) return;
      const open = [...document.querySelectorAll('[role="dialog"][data-state="open"]')];
      const isMenuOpen = document.querySelector('[data-radix-popper-content-wrapper]') !== null;
      if (open.at(-1) !== own || isMenuOpen) return;
      event.stopPropagation();
      onClose();
    };
    window.addEventListener('keydown', closeBeforeToasts, { capture: true });
    return () => window.removeEventListener('keydown', closeBeforeToasts, { capture: true });
  }, [onClose]);
  // An autofocused field loses the focus to a dialog below this one, which releases it only later. Without such a field
  // the first choice has the focus, and not the cross, which comes first in the page.
  const focusFirst = (event: Event) => {
    const own = event.currentTarget as HTMLElement | null;
    const first =
      own?.querySelector<HTMLElement>('[data-first-focus]') ??
      own?.querySelector<HTMLElement>(`:is(${CHOICES}):not([disabled], [data-close])`);
    if (!first) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          ref={setContent}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={giveFocusBack}
          className={clsx(
            'fixed top-1/2 left-1/2 z-40 -translate-x-1/2 -translate-y-1/2 rounded-lg border border-line shadow-raised focus:outline-none',
            wide
              ? 'flex bg-surface max-h-[min(calc(100dvh-2rem),52rem)] w-[calc(100vw-2rem)] max-w-5xl flex-col overflow-hidden max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)]'
              : 'bg-raised max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md overflow-auto p-5',
          )}
        >
          <div className={clsx('flex items-start justify-between gap-4', wide && 'px-4 pt-4')}>
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Close
              aria-label="Close"
              data-close=""
              className="-m-1 flex size-7 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Radix.Close>
          </div>
          <Radix.Description className={clsx('mt-1 text-pretty text-muted', wide ? 'px-4 pb-3' : 'mb-4')}>
            {text}
          </Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The content of a wide dialog, between its title and its buttons. */
export function DialogBody({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col border-t border-line max-sm:overflow-y-auto">{children}</div>
  );
}

/** The buttons of a wide dialog, with a note. At phone width they are stacked. */
export function DialogFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-4 py-3">
      {note && <div className="me-auto min-w-0 text-muted tabular-nums max-sm:w-full">{note}</div>}
      <div className="flex flex-wrap justify-end gap-2 max-sm:w-full max-sm:*:flex-1">{children}</div>
    </div>
  );
}
