import { useMemo } from 'react';
import { CheckedRecipients } from '../recipients/checked-recipients.tsx';
import { RecipientTable } from '../recipients/recipient-table.tsx';
import type { RunPlan } from './runs-queries.ts';

interface RunLinesProps {
  label: string;
  lines: RunPlan['lines'];
  communities: readonly { id: string; name: string }[];
  /** What was paid to their addresses before; null: it is not decided about. */
  paid: RunPlan['recipients'] | null;
}

/** Everyone whom a run pays, each with the community that owes it: new recipients come first. */
export function RunLines({ label, lines, communities, paid }: RunLinesProps) {
  const shown = useMemo(() => {
    const names = new Map(communities.map(({ id, name }) => [id, name]));
    return lines.map(({ community_id, recipientAddress, recipientType, amount }) => ({
      recipientAddress,
      recipientType,
      amount,
      community: names.get(community_id) ?? '',
    }));
  }, [lines, communities]);
  if (paid === null) return <RecipientTable isWhole label={label} lines={shown} />;
  return <CheckedRecipients label={label} lines={shown} paid={paid} />;
}
