import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PART_OF_AUM } from '../../../lib/format/aum-texts.ts';
import { flooredUsd } from '../../../lib/format/figures.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { YourPart } from '../../../ui/figures/your-part.tsx';
import { Dialog, DialogBody } from '../../../ui/form/dialog.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { VIP_PAGE, type VipLevel, type VipTrader, vipTradersQuery } from './vip-queries.ts';

const COLUMNS: readonly PlainColumn<VipTrader>[] = [
  {
    id: 'trader',
    header: 'Trader',
    width: '45%',
    onCard: 'lead',
    cell: (trader) => (
      <Link
        to="/trader/$traderId"
        params={{ traderId: trader.id }}
        className="truncate rounded font-medium hover:text-accent hover:underline"
      >
        {listName(trader)}
      </Link>
    ),
  },
  {
    id: 'reference',
    header: 'Reference Number',
    width: '30%',
    cell: ({ reference_number }) => <span className="font-mono text-sm">{reference_number ?? 'N/A'}</span>,
  },
  {
    id: 'aum',
    header: 'AUM',
    width: '25%',
    align: 'end',
    onCard: 'end',
    cell: ({ aum, aum_is_part }) => (
      <span className="flex items-center justify-end gap-1.5">
        <YourPart isPart={aum_is_part} title={PART_OF_AUM} />
        <Money amount={aum} as="equity" />
      </span>
    ),
  },
];

interface VipTradersDialogProps {
  communityId: string;
  level: VipLevel;
  onClose(): void;
}

/** The traders of a community with one VIP level, by AUM. */
export function VipTradersDialog({ communityId, level, onClose }: VipTradersDialogProps) {
  const [page, setPage] = useState(1);
  const query = useQuery(vipTradersQuery(communityId, level.level, page));
  return (
    <Dialog
      wide
      title={level.name}
      text={level.benefits || `AUM from ${flooredUsd(level.min_aum)}`}
      onClose={onClose}
    >
      <DialogBody>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <PagedTable
            label={`Traders with the level ${level.name}`}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            what="traders"
            query={query}
            page={page}
            pageRows={VIP_PAGE}
            onPage={setPage}
            loading={<SkeletonTable columns={COLUMNS} rows={VIP_PAGE} />}
            empty={<p className="px-4 py-6 text-center text-muted">No trader has this level now</p>}
          />
        </div>
      </DialogBody>
    </Dialog>
  );
}
