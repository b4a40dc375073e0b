import { Link } from '@tanstack/react-router';
import Pencil from 'lucide-react/icons/pencil';
import ReceiptText from 'lucide-react/icons/receipt-text';
import SquareArrowOutUpRight from 'lucide-react/icons/square-arrow-out-up-right';
import { State } from '../../../ui/feedback/state.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import { exchangesText } from '../exchange-texts.ts';
import type { ListedProvider } from '../providers-queries.ts';

export interface ProviderHandlers {
  onOpen(provider: ListedProvider): void;
  onEdit(provider: ListedProvider): void;
  onInvoicing(provider: ListedProvider): void;
}

export function providerColumns(handlers: ProviderHandlers): readonly PlainColumn<ListedProvider>[] {
  return [
    {
      id: 'provider',
      header: 'Provider',
      width: '30%',
      onCard: 'lead',
      cell: ({ id, name, display_name }) => (
        <span className="flex min-w-0 items-baseline gap-x-2 max-md:flex-wrap">
          <Link
            to="/providers/$providerId"
            params={{ providerId: id }}
            title={display_name}
            className="truncate rounded max-md:whitespace-normal font-medium hover:text-accent hover:underline"
          >
            {display_name}
          </Link>
          <span className="truncate text-xs max-md:whitespace-normal font-normal text-muted">{name}</span>
        </span>
      ),
    },
    {
      id: 'split',
      header: 'Payment Split',
      width: '13%',
      align: 'end',
      cell: ({ payment_split_percentage }) => <Percentage fraction={payment_split_percentage} />,
    },
    {
      id: 'exchanges',
      header: 'Exchanges',
      width: '27%',
      onCard: 'line',
      cell: ({ supported_exchanges }) => (
        <span className="block truncate" title={exchangesText(supported_exchanges)}>
          {exchangesText(supported_exchanges)}
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      width: '10%',
      cell: ({ is_active }) => (
        <State tone={is_active ? 'positive' : 'neutral'}>{is_active ? 'Active' : 'Inactive'}</State>
      ),
    },
    {
      id: 'invoicing',
      header: 'Invoicing',
      width: '11%',
      cell: ({ invoicing_enabled }) => (
        <State tone={invoicing_enabled ? 'positive' : 'caution'}>
          {invoicing_enabled ? 'Enabled' : 'Disabled'}
        </State>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '9%',
      align: 'end',
      onCard: 'end',
      cell: (provider) => (
        <RowMenu of={provider.display_name}>
          <MenuItem icon={SquareArrowOutUpRight} text="Open" onSelect={() => handlers.onOpen(provider)} />
          <MenuItem icon={Pencil} text="Edit" onSelect={() => handlers.onEdit(provider)} />
          <MenuItem
            icon={ReceiptText}
            text={provider.invoicing_enabled ? 'Disable invoicing' : 'Enable invoicing'}
            onSelect={() => handlers.onInvoicing(provider)}
          />
        </RowMenu>
      ),
    },
  ];
}
