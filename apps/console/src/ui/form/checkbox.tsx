import { createContext, use, useEffect, useRef } from 'react';

interface CheckboxProps {
  label: string;
  checked: boolean;
  /** Some of its items are selected, not all. */
  isPartial?: boolean;
  tabIndex?: number;
  isDisabled?: boolean;
  onChange?(checked: boolean): void;
}

/**
 * Whether rows belong to earlier filters while the new ones load. A box of such a row takes no press: it would select a
 * row that is about to go, and lose the press when it goes.
 */
export const StaleRows = createContext(false);

/** The browser's own checkbox, with a larger target. */
export function Checkbox({
  label,
  checked,
  isPartial = false,
  tabIndex,
  isDisabled,
  onChange,
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const isStale = use(StaleRows);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartial && !checked;
  }, [isPartial, checked]);
  return (
    <label className="-m-1.5 inline-flex size-7 align-middle cursor-pointer items-center justify-center rounded hover:bg-subtle has-disabled:cursor-not-allowed">
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={checked}
        tabIndex={tabIndex}
        disabled={isDisabled || isStale}
        onChange={(event) => onChange?.(event.target.checked)}
        className="size-3.5 cursor-pointer disabled:cursor-not-allowed accent-(--primary)"
      />
    </label>
  );
}
