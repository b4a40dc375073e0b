import { lazy, Suspense } from 'react';
import { useStore } from '../../../lib/store.ts';
import type { SignedInUser } from '../identity.ts';
import { closeQuestion, question } from './presence.ts';

const PresenceDialog = lazy(() => import('./presence-dialog.tsx'));

interface PresenceHostProps {
  user: SignedInUser;
  /** Takes the token that says so. */
  onProven(token: string): void;
  /** The account has another way to confirm by now. */
  onChanged(): Promise<void>;
}

/** Shows the question while one is open. */
export function PresenceHost({ user, onProven, onChanged }: PresenceHostProps) {
  if (useStore(question) === null) return null;
  return (
    <Suspense fallback={null}>
      <PresenceDialog
        user={user}
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
