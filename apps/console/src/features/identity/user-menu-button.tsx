import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { can } from '../../lib/rights.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { accessBadge } from './access.ts';
import type { SignedInUser } from './identity.ts';

const loadMenu = () => import('./user-menu.tsx');
const UserMenu = lazy(loadMenu);

interface UserMenuButtonProps {
  user: SignedInUser;
  onSignOut(): Promise<void>;
  /** The dialog for two-factor authentication, if the identity service manages it. */
  twoFactor?(close: () => void): ReactNode;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return `${words[0]?.[0] ?? '?'}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}

/** The button in the top bar. The menu itself is loaded shortly before it opens. */
export function UserMenuButton({ user, onSignOut, twoFactor }: UserMenuButtonProps) {
  const [wanted, setWanted] = useState(false);
  const [isTwoFactorOpen, setTwoFactorOpen] = useState(false);

  const navigate = useNavigate();
  // While a super admin views as another user, the session is still the super admin's own.
  const isOwn = user.viewed_by === null;
  const initials = initialsOf(user.name);
  const signOut = () =>
    void onSignOut().catch((error) =>
      toast({ tone: 'negative', title: 'Sign out failed', text: messageOf(error) }),
    );
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={`${initials}, account of ${user.name}`}
      title={user.name}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={wanted ? undefined : () => setWanted(true)}
      className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
    >
      {initials}
    </button>
  );
  return (
    <>
      {wanted ? (
        <Suspense fallback={trigger}>
          <UserMenu
            user={user}
            role={accessBadge(user) ?? 'No provider access'}
            trigger={trigger}
            onSignOut={signOut}
            onTeam={
              !user.super && can(user, 'people:read') ? () => void navigate({ to: '/team' }) : undefined
            }
            onProfile={isOwn ? () => void navigate({ to: '/profile' }) : undefined}
            onTwoFactor={twoFactor && isOwn ? () => setTwoFactorOpen(true) : undefined}
          />
        </Suspense>
      ) : (
        trigger
      )}
      {isTwoFactorOpen && <Suspense>{twoFactor?.(() => setTwoFactorOpen(false))}</Suspense>}
    </>
  );
}
