import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { sampleSplit, splitPreview } from '../../../lib/format/sample-split.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { ChangeTable } from '../../../ui/figures/change-table.tsx';
import { type LinkedCommunity, linkedCommunitiesQuery, type Provider } from '../providers-queries.ts';

/** Communities that the preview has room for. */
const SHOWN = 4;

/** The effect of a changed share on invoices in its communities; nothing while the share is the present one. */
export function ProviderSplitPreview({ provider, share }: { provider: Provider; share: string | null }) {
  const isChanged = share !== null && Number(share) !== provider.payment_split_percentage;
  const { data, error, refetch } = useQuery({ ...linkedCommunitiesQuery(provider.id), enabled: isChanged });
  if (!isChanged) return null;
  if (error && !data) return <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />;
  const communities = (data ?? []).filter(({ is_archived }) => !is_archived);
  if (data && communities.length === 0)
    return <p className="text-xs text-muted">No community works with this provider yet.</p>;
  const rows = previewShare(communities, String(provider.payment_split_percentage), share);
  const left = rows.length - SHOWN;
  return (
    <ChangeTable
      rows={rows.slice(0, SHOWN)}
      {...splitPreview(communities.some(({ has_referrer }) => has_referrer))}
      note={
        <>
          {left > 0 && `And ${left} more ${left === 1 ? 'community' : 'communities'}. `}
          Existing invoices stay as they are.
        </>
      }
    />
  );
}

/** Communities where the change matters most come first: those that would refuse it. */
function previewShare(communities: readonly LinkedCommunity[], before: string, after: string) {
  const rows = communities.map(({ name, split_percentage = 0, has_referrer = false }) => {
    const sample = (providerShare: string) =>
      sampleSplit({
        providerShare,
        communityPercentage: String(split_percentage),
        hasCommunityReferrer: has_referrer,
      });
    return { name, before: sample(before), after: sample(after) };
  });
  return rows.toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null));
}
