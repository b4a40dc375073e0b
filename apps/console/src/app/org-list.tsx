import { clsx } from 'clsx';
import Building2 from 'lucide-react/icons/building-2';
import Check from 'lucide-react/icons/check';
import { useId } from 'react';
import type { OrganizationChoice } from './organization-choice.ts';

/** The same choice within the menu of narrow screens. */
export function OrgList({ choice: { options, present, choose } }: { choice: OrganizationChoice }) {
  const labelId = useId();
  return (
    <section aria-labelledby={labelId} className="mt-2 space-y-1 border-t border-line pt-3">
      <p id={labelId} className="px-2.5 pb-1 text-xs font-medium text-muted">
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
              'flex h-10 w-full items-center gap-2 rounded-md px-2.5 font-medium',
              isPresent ? 'text-ink' : 'text-muted hover:bg-subtle hover:text-ink',
            )}
          >
            <Building2 className="size-4 shrink-0" aria-hidden="true" />
            <span className="truncate">{name}</span>
            {isPresent && <Check className="ml-auto size-4 shrink-0 text-accent" aria-hidden="true" />}
          </button>
        );
      })}
    </section>
  );
}
