import { formatDate, type Language } from '@copydesk/domain';
import type { ReactNode } from 'react';
import type { Trader } from './traders-queries.ts';

const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Spanish',
  ar: 'Arabic',
  pl: 'Polish',
  ru: 'Russian',
};

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 border-t border-line py-2">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

export function TraderFacts({ trader, communityName }: { trader: Trader; communityName: ReactNode }) {
  return (
    <section aria-labelledby="user-information" className="rounded-lg border border-line bg-surface p-4">
      <h2 id="user-information" className="mb-3 font-semibold">
        User Information
      </h2>
      <dl className="lg:grid lg:grid-cols-2 lg:gap-x-10">
        <Fact label="Name">{trader.name ?? 'Not provided'}</Fact>
        <Fact label="Email">{trader.email ?? 'Not provided'}</Fact>
        <Fact label="Telegram">
          {trader.telegram_username ? `@${trader.telegram_username.replace(/^@/, '')}` : 'Not provided'}
        </Fact>
        <Fact label="Telegram id">
          <span className="font-mono text-xs">{trader.telegram_user_id ?? 'Not provided'}</span>
        </Fact>
        <Fact label="Community">{communityName}</Fact>
        <Fact label="Language">{LANGUAGE_NAMES[trader.language]}</Fact>
        <Fact label="Created">{formatDate(trader.created_at)}</Fact>
        <Fact label="Last Updated">
          {formatDate(trader.updated_at)}
          {trader.last_updated_by && <span className="text-muted"> by {trader.last_updated_by}</span>}
        </Fact>
      </dl>
    </section>
  );
}
