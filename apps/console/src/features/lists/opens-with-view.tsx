import type { ListName } from '@copydesk/domain/person';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ownLists } from '../../lib/list/own-lists.ts';

interface OpensWithViewProps {
  screen: ListName;
  list: { read(raw: object): object; searchOf(query: string): Record<string, string | undefined> };
  /** A parameter that says which list of the screen is shown, and is no filter. */
  beside?: string;
  children: ReactNode;
}

/** A list that is opened without filters opens with the view that the person chose for it. */
export function OpensWithView({ screen, list, beside, children }: OpensWithViewProps) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const [view] = useState(() =>
    Object.entries(list.read(search)).every(([name, value]) => value === undefined || name === beside)
      ? ownLists.get().default_views[screen]
      : undefined,
  );
  const [isOpen, setOpen] = useState(view === undefined);
  useEffect(() => {
    if (!view || isOpen) return;
    void navigate({
      to: '.',
      search: { ...list.searchOf(view.query), saved: view.id } as never,
      // Where the screen was opened from.
      state: true,
      replace: true,
    }).then(() => setOpen(true));
  }, [view, isOpen, list, navigate]);
  return isOpen ? children : null;
}
