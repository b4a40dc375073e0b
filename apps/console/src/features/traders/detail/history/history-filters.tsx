import type { TraderExchange } from '@copydesk/contract/exchanges';
import { useState } from 'react';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { FilterControls } from '../../../../ui/list/filter-controls.tsx';
import { type DetailSearch, historyList } from '../detail-search.ts';
import type { HistoryFilters } from './filters-from-search.ts';

interface HistoryFiltersProps {
  filters: HistoryFilters;
  accounts: readonly TraderExchange[];
  onChange(change: DetailSearch): void;
}

const FIELD = 'h-7 min-w-0 rounded-md border border-control bg-surface px-2 text-xs';
const NONE = { symbol: undefined, account: undefined, from: undefined, to: undefined, page: undefined };

const { symbol: _, ...DAYS } = historyList.filters;

/** The filters of the history. A symbol is applied on Enter or when the field loses focus. */
export function HistoryFilterBar({ filters, accounts, onChange }: HistoryFiltersProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { symbol, account, from, to } = filters;
  const set = (change: DetailSearch) => onChange({ ...change, page: undefined });
  const commitSymbol = () => {
    if (typed !== null && typed.trim().toUpperCase() !== (symbol ?? '')) {
      set({ symbol: typed.trim().toUpperCase() || undefined });
    }
    setTyped(null);
  };
  return (
    <search className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <input
        aria-label="Symbol"
        placeholder="Symbol"
        value={typed ?? symbol ?? ''}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commitSymbol}
        onKeyDown={(event) => event.key === 'Enter' && commitSymbol()}
        className={`${FIELD} w-28 uppercase placeholder:text-muted placeholder:normal-case`}
      />
      {accounts.length > 1 && (
        <select
          aria-label="Account"
          value={account ?? ''}
          onChange={(event) => set({ account: event.target.value || undefined })}
          className={`${FIELD} max-w-48`}
        >
          <option value="">All accounts</option>
          {accounts.map(({ exchange, acc_uid }) => (
            <option key={`${exchange} ${acc_uid}`} value={acc_uid}>
              {exchangeName(exchange)} {acc_uid}
            </option>
          ))}
        </select>
      )}
      <FilterControls filters={DAYS} values={{ from, to }} sources={{}} onChange={set} />
      {(symbol || account || from || to) && (
        <Button look="quiet" className="h-7! px-2! text-xs!" onClick={() => onChange(NONE)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
