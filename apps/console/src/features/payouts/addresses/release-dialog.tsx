import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { shortAddress } from '../../../lib/format/payout-texts.ts';
import { momentWords } from '../../../lib/format/read-time.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { payoutsKeys } from '../payouts-queries.ts';

interface ReleaseDialogProps {
  changeId: string;
  address: string;
  payableFrom: string | null;
  /** It says who referred a trader, and not where somebody is paid. */
  isReferrer?: boolean;
  onClose(): void;
}

const isLater = (payableFrom: string | null): payableFrom is string =>
  payableFrom !== null && Date.parse(payableFrom) > Date.now();

/** Releases a new payout address; the author of the change cannot. */
export function ReleaseDialog({
  changeId,
  address,
  payableFrom,
  isReferrer = false,
  onClose,
}: ReleaseDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const release = useMutation({
    mutationFn: () =>
      call('POST /api/super-admin/payout-addresses/{id}/release', {
        params: { id: changeId },
        idempotencyKey: once.keyOf({ changeId }),
      }),
    onSuccess: () => {
      toast({
        tone: 'positive',
        title: isReferrer ? 'Referrer released' : 'Address released',
        text: isLater(payableFrom)
          ? `${shortAddress(address)} can be paid to from ${momentWords(payableFrom)}`
          : `${shortAddress(address)} can be paid to now`,
      });
      onClose();
    },
    onError: once.failed,
    onSettled: readAgain(client, payoutsKeys.all),
  });
  return (
    <AskDialog
      title={isReferrer ? 'Release referrer' : 'Release address'}
      text={`Nobody is paid ${isReferrer ? 'as a referrer ' : ''}at ${address} before another super admin than its author released it${
        isLater(payableFrom) ? `, and not before ${momentWords(payableFrom)}` : ''
      }. ${isReferrer ? 'Ask the trader who was referred first, by another channel, by whom it was.' : 'Ask its recipient first, by another channel, whether the address is theirs.'}`}
      confirm="Release"
      busy="Releasing..."
      isBusy={release.isPending}
      error={release.error ? messageOf(release.error) : null}
      onConfirm={() => release.mutate()}
      onClose={onClose}
    />
  );
}
