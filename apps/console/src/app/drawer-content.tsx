import { clsx } from 'clsx';
import Building2 from 'lucide-react/icons/building-2';
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { useId } from 'react';
import { Button } from '../ui/form/button.tsx';
import { Wordmark } from '../ui/layout/wordmark.tsx';
import type { NavGroup } from './nav-links.ts';
import type { OrganizationChoice } from './organization-choice.ts';
import { NavLinks } from './rail.tsx';

interface DrawerContentProps {
  groups: readonly NavGroup[];
  choice: OrganizationChoice | null;
  onClose(): void;
}

/** The navigation of narrow screens, opened. */
export default function DrawerContent({ groups, choice, onClose }: DrawerContentProps) {
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 shrink-0 items-center justify-between ps-4 pe-2">
        <Wordmark />
        <Button square look="quiet" aria-label="Close menu" onClick={onClose}>
          <X className="size-4" aria-hidden="true" />
        </Button>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        <NavLinks groups={groups} />
        {choice && <OrgList choice={choice} />}
      </nav>
    </div>
  );
}

/** The choice of a provider within the drawer. */
function OrgList({ choice: { options, present, choose } }: { choice: OrganizationChoice }) {
  const labelId = useId();
  return (
    <section aria-labelledby={labelId} className="mt-3 space-y-0.5 border-t border-line pt-3">
      <p id={labelId} className="px-2.5 py-1 text-xs text-muted">
        Provider
      </p>
      {options.map(({ id, name }) => {
        const isPresent = id === present.id;
        return (
          <button
            key={id}
            type="button"
            aria-pressed={isPresent}
            onClick={() => choose(id)}
            className={clsx(
              'flex h-10 w-full items-center gap-2.5 rounded-md px-2.5',
              isPresent ? 'font-medium text-ink' : 'text-muted hover:bg-subtle hover:text-ink',
            )}
          >
            <Building2 className="size-4 shrink-0" aria-hidden="true" />
            <span className="truncate">{name}</span>
            {isPresent && <Check className="ms-auto size-4 shrink-0 text-accent" aria-hidden="true" />}
          </button>
        );
      })}
    </section>
  );
}
