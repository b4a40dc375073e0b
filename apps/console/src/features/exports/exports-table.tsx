import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { isUnfinished } from '../../lib/api/own-work.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import { beginExport } from '../../lib/begin-export.ts';
import { State } from '../../ui/feedback/state.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Progress } from '../../ui/figures/progress.tsx';
import { When } from '../../ui/figures/when.tsx';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { Button } from '../../ui/form/button.tsx';
import { useAct } from '../../ui/form/use-act.ts';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { filtersInWords, LIST_NAMES, shownState, sizeText } from './export-texts.ts';
import { type Export, exportsKey, saveExport } from './exports-queries.ts';

interface ExportsTableProps {
  rows: readonly Export[];
  /** Of communities and providers, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** The exports of a person, newest first. */
export function ExportsTable({ rows, names }: ExportsTableProps) {
  const [removed, setRemoved] = useState<Export | null>(null);
  const columns = useMemo(() => columnsOf(names, setRemoved), [names]);
  return (
    <>
      <PlainTable label="Your exports, newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {removed && <RemoveDialog row={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(
  names: ReadonlyMap<string, string>,
  onRemove: (row: Export) => void,
): readonly PlainColumn<Export>[] {
  return [
    {
      id: 'list',
      header: 'List',
      width: '34%',
      onCard: 'lead',
      cell: (row) => (
        <span className="flex min-w-0 flex-col md:py-1.5">
          <span className="font-medium">{LIST_NAMES[row.list]}</span>
          <span className="text-xs font-normal break-words whitespace-normal text-muted">
            {filtersInWords(row, names) || 'Without filters'}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: '22%',
      onCard: 'line',
      cell: (row) => <StateCell row={row} />,
    },
    {
      id: 'size',
      header: 'Size',
      width: '8%',
      align: 'end',
      cell: ({ bytes }) => (bytes === null ? <span className="text-muted">None</span> : sizeText(bytes)),
    },
    {
      id: 'made',
      header: 'Made',
      width: '10%',
      align: 'end',
      cell: ({ created_at }) => <When at={created_at} as="ago" />,
    },
    {
      id: 'expires',
      header: 'Expires',
      width: '9%',
      align: 'end',
      cell: ({ expires_at }) =>
        expires_at === null ? <span className="text-muted">Not yet</span> : <When at={expires_at} as="day" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '17%',
      align: 'end',
      onCard: 'line',
      cell: (row) => <Acts row={row} onRemove={() => onRemove(row)} />,
    },
  ];
}

function StateCell({ row }: { row: Export }) {
  const { label, tone, text } = shownState(row, new Date());
  const { state, rows, rows_expected: expected } = row;
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5 max-md:items-end md:py-1.5">
      <State tone={tone}>{label}</State>
      <span className="text-xs whitespace-normal text-muted tabular-nums max-md:text-end">{text}</span>
      {state === 'running' && expected !== null && expected > 0 && (
        <Progress label={`Progress: ${text}`} value={rows} max={expected} className="h-1 w-32" />
      )}
    </span>
  );
}

/** What can be done with an export, in its last column. */
function Acts({ row, onRemove }: { row: Export; onRemove(): void }) {
  const { offers } = shownState(row, new Date());
  const name = LIST_NAMES[row.list];
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 md:py-1">
      {offers === 'file' && <DownloadButton id={row.id} name={name} />}
      {offers === 'again' && !row.is_selection && <AgainButton row={row} name={name} />}
      <Button
        look={isUnfinished(row) ? 'outline' : 'danger'}
        className="h-7!"
        aria-label={`${isUnfinished(row) ? 'Cancel' : 'Delete'} the export of ${name}`}
        onClick={onRemove}
      >
        {isUnfinished(row) ? 'Cancel' : 'Delete'}
      </Button>
    </span>
  );
}

function DownloadButton({ id, name }: { id: string; name: string }) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    await saveExport(id);
    setBusy(false);
  };
  return (
    <Button
      className="h-7!"
      aria-label={`Download the export of ${name}`}
      aria-disabled={isBusy}
      onClick={save}
    >
      {isBusy ? 'Saving...' : 'Download'}
    </Button>
  );
}

function AgainButton({ row, name }: { row: Export; name: string }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const again = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { title } = await beginExport(row, () => {});
      toast({ tone: 'positive', title });
    } catch (error) {
      toast({ tone: 'negative', title: 'Export failed', text: messageOf(error) });
    }
    await invalidate(client, { queryKey: exportsKey });
    setBusy(false);
  };
  return (
    <Button className="h-7!" aria-label={`Export again: ${name}`} aria-disabled={isBusy} onClick={again}>
      Export again
    </Button>
  );
}

/** A removed file can be made again, and its rows may be others by then. */
function RemoveDialog({ row, onClose }: { row: Export; onClose(): void }) {
  const isCancelling = isUnfinished(row);
  const act = useAct({
    send: () => call('DELETE /api/exports/{id}', { params: { id: row.id } }),
    done: () => ({ title: isCancelling ? 'Export cancelled' : 'Export deleted' }),
    reads: exportsKey,
    onDone: onClose,
  });
  const name = LIST_NAMES[row.list];
  return (
    <AskDialog
      title={isCancelling ? `Cancel the export of ${name}?` : `Delete the export of ${name}?`}
      text={
        isCancelling
          ? 'What is written so far is removed.'
          : 'Its file is removed and cannot be restored. Export the list again for one with the rows of then.'
      }
      confirm={isCancelling ? 'Cancel export' : 'Delete export'}
      busy={isCancelling ? 'Cancelling...' : 'Deleting...'}
      isDanger
      {...act}
      onClose={onClose}
    />
  );
}
