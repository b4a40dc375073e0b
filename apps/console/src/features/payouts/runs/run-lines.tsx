import { useMemo } from 'react';
import { RecipientTable } from '../recipients/recipient-table.tsx';
import type { RunPlan } from './runs-queries.ts';

interface RunLinesProps {
  label: string;
  lines: RunPlan['lines'];
  communities: readonly { id: string; name: string }[];
}

/** Everyone whom a run pays, each with the community that owes it. */
export function RunLines({ label, lines, communities }: RunLinesProps) {
  const shown = useMemo(() => {
    const names = new Map(communities.map(({ id, name }) => [id, name]));
    return lines.map(({ community_id, recipientAddress, recipientType, amount }) => ({
      recipientAddress,
      recipientType,
      amount,
      community: names.get(community_id) ?? '',
    }));
  }, [lines, communities]);
  return <RecipientTable isWhole label={label} lines={shown} />;
}
