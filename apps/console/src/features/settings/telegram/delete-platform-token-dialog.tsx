import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { platformBotKey } from '../settings-queries.ts';

/** Deletes the stored token of the platform's bot. */
export function DeletePlatformTokenDialog({ onClose }: { onClose(): void }) {
  const remove = useAct({
    send: () => call('DELETE /api/platform-bot'),
    done: () => ({ title: 'Token deleted', text: "The token of the server's configuration counts again." }),
    reads: platformBotKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Delete the stored token"
      text="The token of the server's configuration counts again. Without one, messages fail until a token is set."
      confirm="Delete token"
      busy="Deleting..."
      isDanger
      {...remove}
      onClose={onClose}
    />
  );
}
