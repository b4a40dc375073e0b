import type { Trader } from '@copydesk/contract/traders';
import { useNavigate } from '@tanstack/react-router';
import Ellipsis from 'lucide-react/icons/ellipsis';
import LinkIcon from 'lucide-react/icons/link';
import Pencil from 'lucide-react/icons/pencil';
import Plug from 'lucide-react/icons/plug';
import ScrollText from 'lucide-react/icons/scroll-text';
import Send from 'lucide-react/icons/send';
import { lazy, Suspense, useId, useState } from 'react';
import { MESSAGE_PROBLEM_TEXTS } from '../../../../lib/format/message-texts.ts';
import { useCan } from '../../../../lib/rights.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button, type ButtonProps } from '../../../../ui/form/button.tsx';
import { Menu, MenuItem } from '../../../../ui/form/menu.tsx';

const EditTraderDialog = lazy(() => import('../user/edit-trader-dialog.tsx'));
const ConnectExchangeDialog = lazy(async () => ({
  default: (await import('../connect/connect-exchange-dialog.tsx')).ConnectExchangeDialog,
}));

interface TraderActsProps {
  trader: Trader;
  isSuper: boolean;
  /** Asks for the confirmation of a notice of unpaid invoices. */
  onWrite(): void;
}

/** The most frequent acts on a trader, at the top of its page. */
export function TraderActs({ trader, isSuper, onWrite }: TraderActsProps) {
  const mayConnect = useCan('accounts:write');
  const mayEdit = useCan('traders:write');
  const [open, setOpen] = useState<'connect' | 'edit' | null>(null);
  const close = () => setOpen(null);
  const navigate = useNavigate();
  const statement = {
    to: '/statements/$ownerKind/$ownerId',
    params: { ownerKind: 'trader', ownerId: trader.id },
  } as const;
  return (
    <>
      <Act refusal={whyNotWrite(trader, isSuper)} onClick={onWrite}>
        <Send className="size-3.5" aria-hidden="true" />
        Write
      </Act>
      <Act
        refusal={mayConnect ? null : 'Your role does not include exchange accounts'}
        onClick={() => setOpen('connect')}
      >
        <Plug className="size-3.5" aria-hidden="true" />
        Connect
      </Act>
      <Menu
        label="More"
        trigger={
          <Button>
            <Ellipsis className="size-4" aria-hidden="true" />
            More
          </Button>
        }
      >
        <MenuItem
          icon={Pencil}
          text="Edit trader"
          disabled={!mayEdit && 'Your role does not include changes of traders'}
          onSelect={() => setOpen('edit')}
        />
        <MenuItem icon={LinkIcon} text="Copy link" onSelect={() => void copyLink(trader.id)} />
        {isSuper && (
          <MenuItem icon={ScrollText} text="Account statement" onSelect={() => void navigate(statement)} />
        )}
      </Menu>
      <Suspense fallback={null}>
        {open === 'connect' && <ConnectExchangeDialog trader={trader} onClose={close} />}
        {open === 'edit' && <EditTraderDialog trader={trader} onClose={close} />}
      </Suspense>
    </>
  );
}

interface ActProps extends Omit<ButtonProps, 'onClick'> {
  /** Why it cannot be done now; null: it can. */
  refusal: string | null;
  onClick(): void;
}

/** A button that says why it does nothing. It stays in the tab order. */
function Act({ refusal, onClick, ...rest }: ActProps) {
  const id = useId();
  return (
    <>
      <Button
        {...rest}
        aria-disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : id}
        title={refusal ?? undefined}
        onClick={() => refusal === null && onClick()}
      />
      {refusal !== null && (
        <span id={id} className="sr-only">
          {refusal}
        </span>
      )}
    </>
  );
}

/** The reasons for which the server refuses a notice. */
function whyNotWrite({ standing, telegram_user_id: chat }: Trader, isSuper: boolean): string | null {
  if (!isSuper) return 'Super admin access required';
  if (!standing || standing.owed_count === 0) return 'Nothing is unpaid';
  return chat ? null : MESSAGE_PROBLEM_TEXTS.no_chat;
}

async function copyLink(traderId: string): Promise<void> {
  const link = `${location.origin}/trader/${traderId}`;
  try {
    await navigator.clipboard.writeText(link);
    toast({ tone: 'positive', title: 'Link copied', text: link });
  } catch {
    toast({ tone: 'negative', title: 'Copy failed', text: link });
  }
}
