import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../features/identity/identity-context.ts';
import { Button } from '../../ui/form/button.tsx';
import { AdminLinks } from './admin-links.tsx';

/** A screen of super admins: its title, beside the ways to the others. */
export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  const session = useSession();
  return (
    <div className="mx-auto w-full max-w-7xl space-y-4 px-4 pt-4 pb-8 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          {title}
        </h1>
        {session.status === 'signed-in' && session.user.super && <AdminLinks />}
      </div>
      {children}
    </div>
  );
}

/** The way out for people whom a screen refuses. */
export function ToTraders() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate({ to: '/' })}>Back to Traders</Button>;
}
