import ListChecks from 'lucide-react/icons/list-checks';
import { BulkActsTable } from '../../features/bulk/bulk-acts-table.tsx';
import { bulkActsQuery } from '../../features/bulk/bulk-queries.ts';
import { OwnWork } from './own-work.tsx';

/** What a person has ordered for many traders at once, and what became of it. */
export default function BulkActsScreen() {
  return (
    <OwnWork
      what="bulk acts"
      may="see"
      note="Done trader by trader, under your name and with your rights of that moment. Kept for 30 days."
      query={bulkActsQuery}
      empty={{
        icon: ListChecks,
        text: 'Select traders in a list, or all that match its filters, and choose what to do with them.',
      }}
    >
      {(rows) => <BulkActsTable rows={rows} />}
    </OwnWork>
  );
}
