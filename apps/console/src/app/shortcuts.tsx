import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { usePersonSettings } from '../lib/person-settings.ts';
import type { NavGroup } from './nav-links.ts';

/** How long `g` waits for a letter. */
const WAITS_MS = 1_500;

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

const isTyping = (target: EventTarget | null) =>
  (target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable]') != null;

/** Single keys outside of fields and dialogs. Rows have keys of their own, and the search of a list has `/`. */
export function Shortcuts({ groups }: { groups: readonly NavGroup[] }) {
  const { shortcuts } = usePersonSettings();
  const navigate = useNavigate();
  const [isShown, setShown] = useState(false);
  const goneAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (!shortcuts) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { code, key, target, timeStamp, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return;
      if (document.querySelector('[role=dialog], [role=alertdialog], dialog[open]')) return;
      const isSecond = timeStamp - goneAt.current < WAITS_MS;
      goneAt.current = Number.NEGATIVE_INFINITY;
      const to = isSecond && groups.flatMap(({ links }) => links).find((link) => link.code === code)?.to;
      if (to) void navigate({ to });
      else if (key === '?') setShown(true);
      else if (code === 'KeyG') goneAt.current = timeStamp;
      else if (code === 'KeyE')
        document.querySelector<HTMLElement>('main [aria-label="Export CSV"]')?.click();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts, groups, navigate]);

  return (
    isShown && (
      <Suspense>
        <ShortcutsDialog groups={groups} onClose={() => setShown(false)} />
      </Suspense>
    )
  );
}
