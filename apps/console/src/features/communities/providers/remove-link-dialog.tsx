import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { communitiesKeys } from '../communities-keys.ts';
import { type CommunityProvider, canRemoveQuery } from './community-providers-query.ts';

interface RemoveLinkDialogProps {
  communityId: string;
  link: CommunityProvider;
  onClose(): void;
}

/** Removes a provider from a community, or says what still uses it. */
export function RemoveLinkDialog({ communityId, link, onClose }: RemoveLinkDialogProps) {
  const { provider_id: providerId, display_name } = link;
  const remove = useAct({
    send: () =>
      call('DELETE /api/communities/{id}/providers/{providerId}', {
        params: { id: communityId, providerId },
      }),
    done: () => ({ title: 'Provider removed from the community', text: display_name }),
    reads: communitiesKeys.all,
    onDone: onClose,
  });
  const { data, error, refetch, isFetching } = useQuery({
    ...canRemoveQuery(communityId, providerId),
    // The event of its removal may come before the answer: there is nothing left to ask about.
    enabled: !remove.isBusy,
  });
  const title = `Remove ${display_name}`;
  if (!data || isFetching) {
    return (
      <Dialog title={title} text="Checking what still uses it here." onClose={onClose}>
        {error && !isFetching ? (
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        ) : (
          <Loading text="Checking..." />
        )}
      </Dialog>
    );
  }
  if (!data.can_remove) {
    return (
      <Dialog title={title} text="It is still in use in this community:" onClose={onClose}>
        <ul className="list-disc space-y-1 ps-5">
          {data.reasons.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
        <p className="mt-3 text-muted">To take no new traders under it, close it with Edit instead.</p>
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <AskDialog
      title={title}
      text="Nothing in this community uses it. Its staff lose the community, except for the history of its invoices and payouts."
      confirm="Remove"
      busy="Removing..."
      isDanger
      {...remove}
      onClose={onClose}
    />
  );
}
