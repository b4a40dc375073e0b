import type { CallAnswer } from '@copydesk/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { ErrorLine } from '../../ui/feedback/error-line.tsx';
import { ChatText } from '../../ui/figures/chat-text.tsx';
import { When } from '../../ui/figures/when.tsx';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import { subscriptionKey } from './subscription-query.ts';
import { SENT_WORDS } from './subscription-texts.ts';

type PaymentLink = CallAnswer<'GET /api/communities/{id}/payment-link'>['data'];

interface PaymentLinkDialogProps {
  community: { id: string; name: string };
  onClose(): void;
}

/** Shows what the owner of a community would be sent, and sends it. */
export function PaymentLinkDialog({ community, onClose }: PaymentLinkDialogProps) {
  const params = { id: community.id };
  const { data, error, refetch } = useQuery({
    queryKey: [...subscriptionKey(community.id), 'payment-link'],
    refetchOnMount: 'always',
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/payment-link', { params, signal })).data,
  });
  const act = useAct({
    send: (keyOf) =>
      call('POST /api/communities/{id}/payment-link', { params, idempotencyKey: keyOf('payment-link') }),
    done: () => ({ title: 'Payment link queued', text: community.name }),
    reads: subscriptionKey(community.id),
    onDone: onClose,
  });
  const isUnreachable = data?.owner.has_chat === false;
  return (
    <AskDialog
      title="Send the owner the payment link"
      text={textOf(community.name, data)}
      confirm="Send link"
      busy="Sending..."
      isBlocked={!data || isUnreachable}
      {...act}
      onClose={onClose}
    >
      {error && !data ? (
        <div className="mt-3">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      ) : data ? (
        <div className="mt-3 space-y-2">
          <ChatText isPlain lang={data.language}>
            {data.text}
          </ChatText>
          {data.sent && (
            <p className="text-xs text-muted">
              The last one is by {data.sent.by}, <When at={data.sent.at} />. {SENT_WORDS[data.sent.state]}
            </p>
          )}
          {isUnreachable && (
            <p className="text-caution">
              The owner has no Telegram ID. Add it on the community's page, under Settings.
            </p>
          )}
        </div>
      ) : (
        <span aria-hidden="true" className="skeleton mt-3 block h-24 w-full" />
      )}
    </AskDialog>
  );
}

function textOf(community: string, link: PaymentLink | undefined): string {
  const owner = `the owner of ${community}`;
  if (link?.owner.has_chat === false) return `The bot would write this to ${owner}.`;
  const name = link?.owner.name ? `${link.owner.name}, ` : '';
  return `The bot writes this now to ${name}${owner}. The link leads to a page in the owner's language, and from there to Stripe.`;
}
