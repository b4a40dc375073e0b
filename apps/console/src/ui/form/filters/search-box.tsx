import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import { Button } from '../button.tsx';
import { pasteClean } from '../paste-clean.ts';

interface SearchBoxProps {
  label: string;
  placeholder: string;
  isOpen: boolean;
  /** Always shown: closing it only empties it. */
  isFixed?: boolean;
  value: string;
  onOpen(): void;
  onChange(value: string): void;
  onEnter?(): void;
  onClose(): void;
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"]');

/** A search that opens from a button or with "/", and closes with Escape or its own button. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, isOpen, isFixed = false, value, onOpen, onChange, onEnter, onClose } = props;
  const { shortcuts } = usePersonSettings();
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  const isAsked = useRef(false);

  useEffect(() => {
    // A box that opens because the URL has a search does not take the focus.
    if (isOpen && !wasOpen.current && isAsked.current) input.current?.focus();
    isAsked.current = false;
    if (!isOpen && wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  useEffect(() => {
    if (!shortcuts) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      event.preventDefault();
      isAsked.current = true;
      onOpen();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onOpen, shortcuts]);

  if (!isOpen) {
    return (
      <Button
        ref={opener}
        square
        aria-label={label}
        aria-keyshortcuts={shortcuts ? '/' : undefined}
        title={shortcuts ? `${label} (/)` : label}
        onClick={() => {
          isAsked.current = true;
          onOpen();
        }}
      >
        <Search className="size-4" aria-hidden="true" />
      </Button>
    );
  }
  return (
    <search className="flex h-8 w-full items-center rounded-md border border-control bg-surface focus-within:outline-2 focus-within:outline-ring sm:w-72">
      <Search className="mx-2 size-4 shrink-0 text-muted" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onPaste={pasteClean}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') onEnter?.();
        }}
        className="h-full min-w-0 flex-1 appearance-none bg-transparent placeholder:text-muted focus:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
          className="h-6 rounded px-1.5 text-xs text-muted hover:bg-subtle hover:text-ink"
        >
          Clear
        </button>
      )}
      {isFixed ? (
        <span className="w-1.5" />
      ) : (
        <button
          type="button"
          aria-label="Close search"
          onClick={onClose}
          className="mx-1 flex size-6 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
