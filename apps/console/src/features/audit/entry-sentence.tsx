import { Link, type LinkProps } from '@tanstack/react-router';
import type { AuditEntry } from './audit-queries.ts';
import { type SettingTexts, targetText, verbOf } from './audit-texts.ts';

/** Who did what to which object, as the words of a sentence: person and object lead to their pages. */
export function EntrySentence({ entry, settings }: { entry: AuditEntry; settings: SettingTexts }) {
  const target = targetText(entry, settings);
  return (
    <>
      <bdi>
        <Named text={entry.actor_name} to={actorPage(entry)} />
      </bdi>{' '}
      {verbOf(entry)}
      {target !== '' && (
        <>
          {' '}
          <bdi>
            <Named text={target} to={targetPage(entry)} />
          </bdi>
        </>
      )}
    </>
  );
}

function Named({ text, to }: { text: string; to: LinkProps | null }) {
  if (!to) return <span className="font-medium">{text}</span>;
  return (
    <Link {...to} className="rounded font-medium hover:text-accent hover:underline">
      {text}
    </Link>
  );
}

const actorPage = ({ is_actor_person, actor_id: userId }: AuditEntry): LinkProps | null =>
  is_actor_person ? { to: '/people/$userId', params: { userId } } : null;

const PAGES: Record<string, (id: string) => LinkProps> = {
  community: (communityId) => ({ to: '/community-settings/$communityId', params: { communityId } }),
  invoice: (invoiceId) => ({ to: '/invoices/$invoiceId', params: { invoiceId } }),
  invoicing_run: (runId) => ({ to: '/invoices/runs/$runId', params: { runId } }),
  payout: (payout) => ({ to: '/transaction-history', search: { payout } }),
  pool: (poolId) => ({ to: '/pools/$poolId', params: { poolId } }),
  provider: (providerId) => ({ to: '/providers/$providerId', params: { providerId } }),
  service_token: () => ({ to: '/service-tokens' }),
  trader: (traderId) => ({ to: '/trader/$traderId', params: { traderId } }),
  user: (userId) => ({ to: '/people/$userId', params: { userId } }),
};

/** The page of the object; none when it is gone, which its missing name says, or has none. */
function targetPage({ target_kind, target_id, target_name }: AuditEntry): LinkProps | null {
  if (target_kind === 'setting') return { to: '/settings', hash: `setting-${target_id}` };
  return target_name === null ? null : (PAGES[target_kind]?.(target_id) ?? null);
}
