import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { communitiesKeys } from '../communities-keys.ts';
import {
  REMOVAL_BUSY,
  REMOVAL_CONFIRM,
  REMOVAL_DONE,
  REMOVAL_TITLES,
  type Removal,
  removalProblem,
  removalQuestion,
} from './removal-texts.ts';

interface RemovalDialogProps {
  removal: Removal;
  community: { id: string; name: string };
  onClose(): void;
  /** Called after the deletion: nothing is left to show. */
  onDeleted(): void;
}

/** Asks for confirmation before a community is archived, restored or deleted. */
export function RemovalDialog({ removal, community, onClose, onDeleted }: RemovalDialogProps) {
  const [isCreditKnown, setCreditKnown] = useState(false);
  const remove = useAct({
    send: async () => {
      const params = { id: community.id };
      if (removal === 'archive')
        await call('PATCH /api/super-admin/communities/{id}/archive', {
          params,
          query: isCreditKnown ? { with_credit: 'true' } : {},
        });
      else if (removal === 'restore')
        await call('PATCH /api/super-admin/communities/{id}/restore', { params });
      else await call('DELETE /api/super-admin/communities/{id}', { params });
    },
    done: () => ({ title: REMOVAL_DONE[removal], text: community.name }),
    reads: communitiesKeys.all,
    onDone: removal === 'delete' ? onDeleted : onClose,
    onError: (error) => setCreditKnown(error instanceof ApiError && error.code === 'community_has_credit'),
    refusal: (error) => removalProblem(removal, error),
  });
  return (
    <AskDialog
      title={REMOVAL_TITLES[removal]}
      text={removalQuestion(removal, community.name)}
      confirm={isCreditKnown ? 'Archive with its credit' : REMOVAL_CONFIRM[removal]}
      busy={REMOVAL_BUSY[removal]}
      leave="Cancel"
      isDanger={removal === 'delete'}
      {...remove}
      onClose={onClose}
    />
  );
}
