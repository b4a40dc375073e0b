import { clsx } from 'clsx';
import Building2 from 'lucide-react/icons/building-2';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/form/button.tsx';
import type { OrganizationChoice } from './organization-choice.ts';

const loadMenu = () => import('./org-menu.tsx');
const OrgMenu = lazy(loadMenu);

/** The provider in which a person works, in the top bar. The menu itself is loaded shortly before it opens. */
export function OrgSwitcher({ choice }: { choice: OrganizationChoice }) {
  const [wanted, setWanted] = useState(false);
  const { id, name } = choice.present;
  const trigger = (
    <Button
      aria-haspopup="menu"
      aria-label={`Provider: ${name}`}
      title={name}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={wanted ? undefined : () => setWanted(true)}
      className={clsx('max-w-52 px-2.5!', id !== null && 'text-accent!')}
    >
      <Building2 className="size-4 shrink-0" aria-hidden="true" />
      <span className="truncate">{name}</span>
      <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </Button>
  );
  if (!wanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <OrgMenu choice={choice} trigger={trigger} />
    </Suspense>
  );
}
