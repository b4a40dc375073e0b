import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';

/** The link of an invitation, shown once because mail is not set up. */
export function LinkDialog({ email, link, onClose }: { email: string; link: string; onClose(): void }) {
  return (
    <Dialog
      title="Invitation Link"
      text={`Mail is not set up, so send this link to ${email} yourself, by a way that you trust. It is shown once, works once, and ends in 48 hours.`}
      onClose={onClose}
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-subtle px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{link}</code>
        <CopyButton what="invitation link" getText={() => link} />
      </div>
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
