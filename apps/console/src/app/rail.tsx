import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import PanelLeftClose from 'lucide-react/icons/panel-left-close';
import PanelLeftOpen from 'lucide-react/icons/panel-left-open';
import { lazy, Suspense } from 'react';
import { createStore, useStore } from '../lib/store.ts';
import { readChoice, rememberChoice } from '../lib/stored-choice.ts';
import { Wordmark } from '../ui/layout/wordmark.tsx';
import { loadBeside } from './load-beside.ts';
import { isCurrent, type NavGroup } from './nav-links.ts';

const AttentionCount = lazy(() => loadBeside(() => import('../features/attention/attention-count.tsx')));

const KEY = 'copydesk.rail';
/** Without a choice, the rail is folded where tables need its width. */
const hasRoom = matchMedia('(min-width: 1280px)');
const isFoldedAtFirst = () => {
  const choice = readChoice(KEY);
  return choice === null ? !hasRoom.matches : choice === 'folded';
};
const isRailFolded = createStore(isFoldedAtFirst());
hasRoom.addEventListener('change', () => isRailFolded.set(isFoldedAtFirst()));

function fold(isFolded: boolean): void {
  rememberChoice(KEY, isFolded ? 'folded' : 'open');
  isRailFolded.set(isFolded);
}

/** The navigation beside the content: with words, or folded to its icons. Narrow screens have a drawer instead. */
export function Rail({ groups }: { groups: readonly NavGroup[] }) {
  const isFolded = useStore(isRailFolded);
  const Icon = isFolded ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Main"
      className={clsx(
        'flex shrink-0 flex-col border-e border-line bg-surface max-lg:hidden',
        isFolded ? 'w-14' : 'w-56',
      )}
    >
      <div className={clsx('flex h-12 shrink-0 items-center', isFolded ? 'justify-center' : 'px-4')}>
        <Link to="/overview" aria-label="Copydesk, overview" className="rounded-md">
          <Wordmark isMark={isFolded} />
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <NavLinks groups={groups} isFolded={isFolded} />
      </div>
      <div className="border-t border-line p-2">
        <button
          type="button"
          aria-label={isFolded ? 'Unfold the navigation' : 'Fold the navigation'}
          title={isFolded ? 'Unfold the navigation' : undefined}
          onClick={() => fold(!isFolded)}
          className={clsx(
            'flex h-8 items-center gap-2.5 rounded-md text-muted hover:bg-subtle hover:text-ink',
            isFolded ? 'w-10 justify-center' : 'w-full px-2.5',
          )}
        >
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {!isFolded && 'Fold'}
        </button>
      </div>
    </nav>
  );
}

/** The links of the rail and of the drawer. */
export function NavLinks({ groups, isFolded = false }: { groups: readonly NavGroup[]; isFolded?: boolean }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return groups.map(({ label, links }, index) => (
    <div
      key={links[0]?.to}
      className={clsx(index > 0 && 'mt-3', label === null && index > 0 && 'border-t border-line pt-3')}
    >
      {label !== null && !isFolded && <p className="px-2.5 pt-1 pb-1 text-xs text-muted">{label}</p>}
      {label !== null && isFolded && index > 0 && <hr className="mb-3 border-line" />}
      <ul className="space-y-0.5">
        {links.map((link) => {
          const current = isCurrent(link, pathname);
          return (
            <li key={link.to}>
              <Link
                to={link.to}
                aria-current={current ? 'page' : undefined}
                title={isFolded ? link.label : undefined}
                className={clsx(
                  'relative flex h-8 items-center gap-2.5 rounded-md transition-colors max-lg:h-10',
                  isFolded ? 'w-10 justify-center' : 'px-2.5',
                  current
                    ? 'bg-accent-soft font-medium text-accent'
                    : 'text-muted hover:bg-subtle hover:text-ink',
                )}
              >
                <link.icon className="size-4 shrink-0" aria-hidden="true" />
                <span className={clsx(isFolded ? 'sr-only' : 'truncate')}>{link.label}</span>
                {link.isCounted && (
                  <Suspense>
                    <AttentionCount isFolded={isFolded} />
                  </Suspense>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}
