import { useNavigate } from '@tanstack/react-router';
import CircleUser from 'lucide-react/icons/circle-user';
import Download from 'lucide-react/icons/download';
import ListChecks from 'lucide-react/icons/list-checks';
import LogOut from 'lucide-react/icons/log-out';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Users from 'lucide-react/icons/users';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { can } from '../../lib/rights.ts';
import type { SignedInUser } from './identity.ts';
import { useIdentity } from './identity-context.ts';

interface UserMenuProps {
  user: SignedInUser;
  role: string;
  trigger: ReactNode;
  onSignOut(): void;
  onTeam?: (() => void) | undefined;
  onProfile?: (() => void) | undefined;
  onSettings?: (() => void) | undefined;
  onTwoFactor?: (() => void) | undefined;
}

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2.5 rounded px-2 outline-none data-[highlighted]:bg-subtle select-none';

export default function UserMenu(props: UserMenuProps) {
  const { user, role, trigger, onSignOut, onTeam, onProfile, onSettings, onTwoFactor } = props;
  const { config } = useIdentity();
  const navigate = useNavigate();
  const hasExports = user.viewed_by === null && can(user, 'data:export');
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        className="z-40 w-64 rounded-lg border border-line bg-raised p-1 shadow-raised"
      >
        <DropdownMenu.Label className="px-2 pt-1.5 pb-2">
          <span className="block truncate font-medium">{user.name}</span>
          <span className="block truncate text-muted">{user.email}</span>
          <span className="mt-1 block text-xs text-muted">{role}</span>
        </DropdownMenu.Label>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        {onTeam && (
          <DropdownMenu.Item className={ITEM} onSelect={onTeam}>
            <Users className="size-4 text-muted" aria-hidden="true" />
            Team
          </DropdownMenu.Item>
        )}
        {hasExports && (
          <DropdownMenu.Item className={ITEM} onSelect={() => void navigate({ to: '/exports' })}>
            <Download className="size-4 text-muted" aria-hidden="true" />
            Your exports
          </DropdownMenu.Item>
        )}
        {user.viewed_by === null && can(user, 'traders:write') && (
          <DropdownMenu.Item className={ITEM} onSelect={() => void navigate({ to: '/bulk-acts' })}>
            <ListChecks className="size-4 text-muted" aria-hidden="true" />
            Your bulk acts
          </DropdownMenu.Item>
        )}
        {onProfile && (
          <DropdownMenu.Item className={ITEM} onSelect={onProfile}>
            <CircleUser className="size-4 text-muted" aria-hidden="true" />
            Profile
          </DropdownMenu.Item>
        )}
        {onSettings && (
          <DropdownMenu.Item className={ITEM} onSelect={onSettings}>
            <SlidersHorizontal className="size-4 text-muted" aria-hidden="true" />
            Your settings
          </DropdownMenu.Item>
        )}
        {onTwoFactor && (
          <DropdownMenu.Item className={ITEM} onSelect={onTwoFactor}>
            <ShieldCheck className="size-4 text-muted" aria-hidden="true" />
            Two-factor authentication
            <span className="ms-auto text-xs text-muted">{user.two_factor_enabled ? 'On' : 'Off'}</span>
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Item className={ITEM} onSelect={onSignOut}>
          <LogOut className="size-4 text-muted" aria-hidden="true" />
          Sign out
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <DropdownMenu.Label className="px-2 py-1 text-xs text-muted tabular-nums">
          Copydesk {config.version}
        </DropdownMenu.Label>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
