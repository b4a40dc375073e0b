import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { useEffect, useState } from 'react';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Button } from '../../ui/form/button.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { FormError } from '../../ui/form/form-error.tsx';
import { type Link, wishesQuery } from './attention-mail-query.ts';

/** While the reader is in Telegram. */
const LOOK_EVERY_MS = 3_000;

interface ConnectDialogProps {
  link: Link;
  /** When the present chat was connected; null: there is none. */
  before: string | null;
  /** Another link is asked for. */
  isBusy: boolean;
  error: string | null;
  onNewLink(): void;
  onClose(): void;
}

/** Leads to the bot, and closes once the chat is connected there. */
export function ConnectDialog({ link, before, isBusy, error, onNewLink, onClose }: ConnectDialogProps) {
  const [first] = useState(before);
  const { data } = useQuery({ ...wishesQuery, refetchInterval: LOOK_EVERY_MS });
  const connectedAt = data?.telegram.chat?.connected_at ?? null;
  const isConnected = connectedAt !== null && connectedAt !== first;
  useEffect(() => {
    if (!isConnected) return;
    toast({ tone: 'positive', title: 'Telegram is connected' });
    onClose();
  }, [isConnected, onClose]);
  const leftMs = useTimeLeft(link.expires_at);
  return (
    <Dialog
      title="Connect Telegram"
      text="Open the platform's bot and press Start there. The link is for you alone: whoever presses it receives what waits for you."
      onClose={onClose}
    >
      <p className="text-pretty" role="status">
        {leftMs > 0 ? `The link is valid for ${minutesOf(leftMs)}.` : 'The link is no longer valid.'}
      </p>
      <div className="mt-3 empty:hidden">
        <FormError message={error} />
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {leftMs > 0 ? (
          <a
            href={link.url}
            target="_blank"
            rel="noreferrer"
            data-first-focus=""
            className="inline-flex h-8 items-center gap-1.5 rounded-md bg-primary px-3 font-medium text-on-accent hover:bg-primary-strong"
          >
            Open Telegram
            <ExternalLink className="size-3.5" aria-hidden="true" />
          </a>
        ) : (
          <Button look="primary" aria-disabled={isBusy} onClick={onNewLink}>
            New link
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function minutesOf(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Until a moment, counted each second. */
function useTimeLeft(end: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(end) - now;
}
