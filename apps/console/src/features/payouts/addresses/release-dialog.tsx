import { shortId } from '@copydesk/domain/money';
import { call } from '../../../lib/api/api.ts';
import { momentWords } from '../../../lib/format/read-time.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { payoutsKeys } from '../payouts-keys.ts';

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
  const release = useAct({
    send: (keyOf) =>
      call('POST /api/super-admin/payout-addresses/{id}/release', {
        params: { id: changeId },
        idempotencyKey: keyOf({ changeId }),
      }),
    done: () => ({
      title: isReferrer ? 'Referrer released' : 'Address released',
      text: isLater(payableFrom)
        ? `${shortId(address)} can be paid to from ${momentWords(payableFrom)}`
        : `${shortId(address)} can be paid to now`,
    }),
    reads: payoutsKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={isReferrer ? 'Release referrer' : 'Release address'}
      text={`Nobody is paid ${isReferrer ? 'as a referrer ' : ''}at ${address} before another super admin than its author released it${
        isLater(payableFrom) ? `, and not before ${momentWords(payableFrom)}` : ''
      }. ${isReferrer ? 'Ask the trader who was referred first, by another channel, by whom it was.' : 'Ask its recipient first, by another channel, whether the address is theirs.'}`}
      confirm="Release"
      busy="Releasing..."
      {...release}
      onClose={onClose}
    />
  );
}
