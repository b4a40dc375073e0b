import type { TraderExchange } from '@copydesk/contract';
import { fullTime } from '../../../../lib/read-time.ts';
import { relativeTime } from '../../../../lib/relative-time.ts';

const NAMES = {
  api_key: 'API Key',
  secret_key: 'Secret Key',
  passphrase: 'Passphrase',
  agent_private_key: 'Agent Private Key',
} as const;

interface LastRevealProps {
  reveal: NonNullable<TraderExchange['last_reveal']>;
  viewerId: string;
}

/** The last person who revealed one of the secrets. The audit has the full history. */
export function LastReveal({ reveal, viewerId }: LastRevealProps) {
  const { field, at, by, by_id } = reveal;
  return (
    <p className="mt-1 text-xs text-muted">
      {NAMES[field]} revealed by {by_id === viewerId ? 'you' : by},{' '}
      <time dateTime={at} title={fullTime(at)}>
        {relativeTime(at)}
      </time>
    </p>
  );
}
