import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { Button, type ButtonProps } from '../../../../ui/form/button.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';

interface PasskeyButtonProps extends Pick<ButtonProps, 'look' | 'className'> {
  label: string;
  /** Takes the focus when its dialog opens. */
  isFirst?: boolean;
  run(): Promise<void>;
}

/** Has the device use a passkey, with its refusals above the button. */
export function PasskeyButton({ label, isFirst, run, ...look }: PasskeyButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const use = async () => {
    if (isBusy) return;
    setBusy(true);
    setMessage(null);
    try {
      await run();
    } catch (error) {
      setMessage(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="w-full space-y-3">
      {message !== null && <FormError message={message} />}
      <Button
        className="h-9! w-full"
        aria-disabled={isBusy}
        data-first-focus={isFirst || undefined}
        onClick={use}
        {...look}
      >
        <KeyRound className="size-4" aria-hidden="true" />
        {isBusy ? 'Waiting for your device...' : label}
      </Button>
    </div>
  );
}
