import { lazy, Suspense } from 'react';
import { useStore } from '../../../lib/store.ts';
import type { SignedInUser } from '../identity.ts';
import { closeQuestion, question } from './presence.ts';

const PresenceDialog = lazy(() => import('./presence-dialog.tsx'));

interface PresenceHostProps {
  user: SignedInUser;
  /** Receives the token with the new proof. */
  onProven(token: string): void;
  /** Called when the account's factors have changed meanwhile. */
  onChanged(): Promise<void>;
}

/** Shows the dialog while a question is open. */
export function PresenceHost({ user, onProven, onChanged }: PresenceHostProps) {
  const open = useStore(question);
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      <PresenceDialog
        user={user}
        why={open.why}
        onProven={(token) => {
          onProven(token);
          closeQuestion(true);
        }}
        onChanged={onChanged}
        onClose={() => closeQuestion(false)}
      />
    </Suspense>
  );
}
