import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../features/identity/identity-context.ts';
import { StopButton } from '../../features/transfers/stops/stop-button.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';

/** A screen of super admins: its title, and what an incident needs within one click. */
export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  const session = useSession();
  return (
    <Page>
      <PageHeader
        title={title}
        actions={session.status === 'signed-in' && session.user.super && <StopButton />}
      />
      {children}
    </Page>
  );
}

/** The way out for people whom a screen refuses. */
export function ToTraders() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate({ to: '/' })}>Back to Traders</Button>;
}
