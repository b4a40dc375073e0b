import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';

/** What is said of an invitation by mail; null: its link is shown instead. */
export function invitationNotice(
  { e_mailed, is_waiting }: { e_mailed: boolean; is_waiting: boolean },
  email: string,
): { title: string; text: string; tone?: 'neutral' } | null {
  if (is_waiting)
    return {
      tone: 'neutral',
      title: 'Invitation not sent yet',
      text: `The mail server did not take the mail to ${email}. It is tried again until the invitation ends.`,
    };
  return e_mailed ? { title: 'Invitation sent', text: email } : null;
}

/** The link of an invitation, shown once because mail is not set up, or because the mail server refused it. */
export function LinkDialog({ email, link, onClose }: { email: string; link: string; onClose(): void }) {
  return (
    <Dialog
      title="Invitation Link"
      text={`The invitation could not be mailed, so send this link to ${email} yourself, by a way that you trust. It is shown once, works once, and ends in 48 hours.`}
      onClose={onClose}
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-subtle px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{link}</code>
        <CopyButton what="invitation link" getText={() => link} />
      </div>
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
