import { clsx } from 'clsx';
import Building2 from 'lucide-react/icons/building-2';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { lazy } from 'react';
import { OnDemandButton } from '../ui/layout/on-demand-button.tsx';
import type { OrganizationChoice } from './organization-choice.ts';

const loadMenu = () => import('./org-menu.tsx');
const OrgMenu = lazy(loadMenu);

/** The provider in which a person works, in the top bar. */
export function OrgSwitcher({ choice }: { choice: OrganizationChoice }) {
  const { id, name } = choice.present;
  return (
    <OnDemandButton
      load={loadMenu}
      aria-haspopup="menu"
      aria-label={`Provider: ${name}`}
      title={name}
      className={clsx('max-w-52 px-2.5!', id !== null && 'text-accent!')}
      face={
        <>
          <Building2 className="size-4 shrink-0" aria-hidden="true" />
          <span className="truncate">{name}</span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
        </>
      }
    >
      {(trigger) => <OrgMenu choice={choice} trigger={trigger} />}
    </OnDemandButton>
  );
}
