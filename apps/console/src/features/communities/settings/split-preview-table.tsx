import { SplitTable } from '../../../ui/figures/split-table.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';
import { previewSplit } from './split-preview.ts';

/** Previews the split for each provider of the community. */
export function SplitPreviewTable({
  community,
  percentage,
}: {
  community: CommunityWithSettings;
  /** In the form of the request; null while there is none. */
  percentage: string | null;
}) {
  if (community.providers.length === 0)
    return <p className="text-xs text-muted">No provider is linked to this community yet.</p>;
  const referral = Number(community.trader_referral_percentage);
  return (
    <SplitTable
      rows={previewSplit(community, percentage ?? String(community.split_percentage))}
      hasReferrer={community.referrer_wallet_address !== null}
      note={
        <>
          Existing invoices stay as they are.
          {referral > 0 && ` ${referral}% of the community's part goes to whoever referred the trader.`}
        </>
      }
    />
  );
}
