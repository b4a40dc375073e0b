import type { TraderExchange } from '@copydesk/contract/exchanges';
import { CREDENTIALS } from '@copydesk/domain/trading';
import { When } from '../../../../ui/figures/when.tsx';

interface LastRevealProps {
  reveal: NonNullable<TraderExchange['last_reveal']>;
  viewerId: string;
}

/** The last person who revealed one of the secrets. The audit has the full history. */
export function LastReveal({ reveal, viewerId }: LastRevealProps) {
  const { field, at, by, by_id } = reveal;
  return (
    <p className="mt-1 text-xs text-muted">
      {CREDENTIALS[field].label} revealed by {by_id === viewerId ? 'you' : by}, <When at={at} as="ago" />
    </p>
  );
}
