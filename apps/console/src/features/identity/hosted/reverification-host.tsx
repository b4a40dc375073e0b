import { useClerk } from '@clerk/react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useStore } from '../../../lib/store.ts';
import { asking } from './reverification.ts';

/**
 * Holds the service's dialog for another proof within one of ours: the dialog of the act below has the focus, and lets no
 * other part of the page be used.
 */
export function ReverificationHost() {
  const open = useStore(asking);
  return open && <Host {...open} />;
}

function Host({ level, complete, cancel }: NonNullable<ReturnType<typeof asking.get>>) {
  const clerk = useClerk();
  const container = useRef<HTMLDivElement>(null);
  const isOpened = useRef(false);
  const settle = (how: () => void) => {
    asking.set(null);
    how();
  };
  const whenSettled = useRef({ complete: () => settle(complete), cancel: () => settle(cancel) });
  useEffect(() => {
    if (isOpened.current) return;
    isOpened.current = true;
    clerk.__internal_openReverification({
      level,
      getContainer: () => container.current,
      afterVerification: whenSettled.current.complete,
      afterVerificationCancelled: whenSettled.current.cancel,
    });
  }, [clerk, level]);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && clerk.__internal_closeReverification()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50"
          onOpenAutoFocus={(event) => event.preventDefault()}
        >
          <Dialog.Title className="sr-only">Confirm it is you</Dialog.Title>
          <div ref={container} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
