import Ellipsis from 'lucide-react/icons/ellipsis';
import type { ReactNode } from 'react';
import { Menu } from '../form/menu.tsx';

interface RowMenuProps {
  /** The name of the row: "KAIT-1042". */
  of: string;
  tabIndex?: number;
  children: ReactNode;
}

/** The menu at the end of a row. */
export function RowMenu({ of, tabIndex, children }: RowMenuProps) {
  const label = `Actions for ${of}`;
  return (
    <Menu
      label={label}
      trigger={
        <button
          type="button"
          aria-label={label}
          tabIndex={tabIndex}
          className="inline-flex size-7 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink data-[state=open]:bg-subtle data-[state=open]:text-ink"
        >
          <Ellipsis className="size-4" aria-hidden="true" />
        </button>
      }
    >
      {children}
    </Menu>
  );
}
