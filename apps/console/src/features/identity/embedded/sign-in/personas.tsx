import type { Persona } from '@copydesk/contract/people';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';

const PERSONAS: readonly { persona: Persona; label: string }[] = [
  { persona: 'super', label: 'Super admin' },
  { persona: 'super-2', label: 'Second super admin' },
  { persona: 'staff', label: 'Staff of one provider' },
  { persona: 'staff-multi', label: 'Staff of three providers' },
  { persona: 'no-access', label: 'Admin with no provider access' },
  { persona: 'not-admin', label: 'Signed-in without the admin flag' },
];

/** One-click sign-in for the demo world. */
export function Personas({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const [busy, setBusy] = useState<Persona | null>(null);
  const signIn = async (persona: Persona) => {
    if (busy) return;
    setBusy(persona);
    try {
      await call('POST /api/demo/sign-in', { body: { persona } });
      await onSignedIn();
    } catch (error) {
      toast({ tone: 'negative', title: 'Sign in failed', text: messageOf(error) });
    } finally {
      setBusy(null);
    }
  };
  return (
    <section aria-labelledby="personas" className="mt-4 rounded-xl border border-line bg-surface p-6">
      <h2 id="personas" className="mb-2 text-xs font-medium text-muted">
        Demo world: sign in as
      </h2>
      <div className="grid gap-1.5">
        {PERSONAS.map(({ persona, label }) => (
          <Button
            key={persona}
            className="w-full justify-start!"
            aria-disabled={busy !== null}
            onClick={() => signIn(persona)}
          >
            {label}
          </Button>
        ))}
      </div>
    </section>
  );
}
