import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { communitiesKeys } from '../communities-queries.ts';
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
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async (isWithCredit: boolean) => {
      const params = { id: community.id };
      if (removal === 'archive')
        await call('PATCH /api/super-admin/communities/{id}/archive', {
          params,
          query: isWithCredit ? { with_credit: 'true' } : {},
        });
      else if (removal === 'restore')
        await call('PATCH /api/super-admin/communities/{id}/restore', { params });
      else await call('DELETE /api/super-admin/communities/{id}', { params });
    },
    onSuccess: () => {
      toast({ tone: 'positive', title: REMOVAL_DONE[removal], text: community.name });
      if (removal === 'delete') onDeleted();
      else onClose();
      void client.invalidateQueries({ queryKey: communitiesKeys.all });
    },
  });
  const isCreditKnown = remove.error instanceof ApiError && remove.error.code === 'community_has_credit';
  return (
    <Dialog title={REMOVAL_TITLES[removal]} text={removalQuestion(removal, community.name)} onClose={onClose}>
      <FormError message={remove.error ? removalProblem(removal, remove.error) : null} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={removal === 'delete' ? 'danger' : 'primary'}
          aria-disabled={remove.isPending}
          onClick={() => !remove.isPending && remove.mutate(isCreditKnown)}
        >
          {remove.isPending
            ? REMOVAL_BUSY[removal]
            : isCreditKnown
              ? 'Archive with its credit'
              : REMOVAL_CONFIRM[removal]}
        </Button>
      </div>
    </Dialog>
  );
}
