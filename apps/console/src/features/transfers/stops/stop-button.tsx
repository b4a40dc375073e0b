import { useQuery } from '@tanstack/react-query';
import OctagonX from 'lucide-react/icons/octagon-x';
import { useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import { StopDialog } from './stop-dialogs.tsx';
import { stopQuery } from './stop-query.ts';

/** Stops all payments. While they are stopped, the banner has what comes next. */
export function StopButton() {
  const { data } = useQuery(stopQuery);
  const [isAsked, setAsked] = useState(false);
  if (!data || data.stopped_since !== null) return null;
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        <OctagonX className="size-4" aria-hidden="true" />
        Stop all payments
      </Button>
      {isAsked && <StopDialog onClose={() => setAsked(false)} />}
    </>
  );
}
