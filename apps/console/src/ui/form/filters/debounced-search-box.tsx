import { useCallback, useEffect, useRef, useState } from 'react';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { SearchBox } from './search-box.tsx';

const DEBOUNCE_MS = 250;

interface DebouncedSearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  /** Always shown: closing it only empties it. */
  isFixed?: boolean;
  onChange(value: string | undefined): void;
  /** Enter may do more than typing. Returns whether it did; the box is then emptied. */
  onEnter?(value: string): boolean;
}

/** The typed text reaches the URL, and so the server, after typing pauses. */
export function DebouncedSearchBox(props: DebouncedSearchBoxProps) {
  const { label, placeholder, value, isFixed = false, onChange, onEnter } = props;
  const [isOpen, setOpen] = useState(isFixed || value !== '');
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const sent = useRef(value);

  useEffect(() => {
    if (settled.trim() === sent.current) return;
    sent.current = settled.trim();
    onChange(sent.current || undefined);
  }, [settled, onChange]);

  useEffect(() => {
    // Changed from outside: the back button, a removed chip.
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);

  const empty = () => {
    setTyped('');
    sent.current = '';
  };
  const close = () => {
    empty();
    onChange(undefined);
    setOpen(isFixed);
  };
  const openBox = useCallback(() => setOpen(true), []);
  return (
    <SearchBox
      label={label}
      placeholder={placeholder}
      isOpen={isOpen || value !== ''}
      isFixed={isFixed}
      value={typed}
      onOpen={openBox}
      onChange={setTyped}
      onEnter={() => onEnter?.(typed) && empty()}
      onClose={close}
    />
  );
}
