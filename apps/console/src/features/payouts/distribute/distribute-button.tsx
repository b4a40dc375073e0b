import HandCoins from 'lucide-react/icons/hand-coins';
import { useCallback, useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import { DistributeDialog } from './distribute-dialog.tsx';

interface DistributeButtonProps {
  community: { id: string; name: string };
}

export function DistributeButton({ community }: DistributeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <HandCoins className="size-4" aria-hidden="true" />
        Distribute
      </Button>
      {isOpen && <DistributeDialog community={community} onClose={close} />}
    </>
  );
}
