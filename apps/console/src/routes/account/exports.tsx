import { BACKGROUND_ABOVE_ROWS } from '@copydesk/domain/exports';
import Download from 'lucide-react/icons/download';
import { type ComponentProps, useMemo } from 'react';
import { exportsQuery } from '../../features/exports/exports-queries.ts';
import { ExportsTable } from '../../features/exports/exports-table.tsx';
import { formatCount } from '../../lib/format/numbers.ts';
import { useCan } from '../../lib/rights.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';
import { OwnWork } from './own-work.tsx';

/** The lists that a person has exported in the background, and their files. */
export default function ExportsScreen() {
  const isAllowed = useCan('data:export');
  return (
    <OwnWork
      what="exports"
      may="open"
      note="Files are kept for seven days. Their last line says how many rows they have: a file without it is not whole."
      query={exportsQuery}
      empty={{
        icon: Download,
        text: `Press Export CSV above a list. With more than ${formatCount(BACKGROUND_ABOVE_ROWS)} rows its file is made in the background and appears here.`,
      }}
      refusal={!isAllowed && <NotAllowed />}
    >
      {(rows) => <NamedExports rows={rows} />}
    </OwnWork>
  );
}

const NotAllowed = () => (
  <MessagePanel
    icon={Download}
    level={1}
    title="Your role does not include exports"
    text="Ask a super admin for a role that does."
  >
    <ToTraders />
  </MessagePanel>
);

function NamedExports({ rows }: Pick<ComponentProps<typeof ExportsTable>, 'rows'>) {
  const { communities, providers } = useDirectoryOptions();
  const names = useMemo(
    () => new Map([...communities, ...providers].map(({ value, label }) => [value, label])),
    [communities, providers],
  );
  return <ExportsTable rows={rows} names={names} />;
}
