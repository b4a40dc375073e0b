import { maskCredential } from '@copydesk/domain/trading';
import Lock from 'lucide-react/icons/lock';
import type { AccountField } from './account-fields.ts';

/** One masked credential that the reader may not reveal. */
export function ClosedRow({ field }: { field: Extract<AccountField, { kind: 'secret' }> }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-1.5">
      <span className="text-xs text-muted">{field.label}</span>
      <span className="flex h-7 min-w-0 items-center px-1.5 text-xs">
        <span aria-hidden="true" className="overflow-hidden tracking-tighter whitespace-nowrap text-muted">
          {maskCredential(field.masked)}
        </span>
        <span className="sr-only">Hidden</span>
      </span>
      <Lock className="me-2 size-3 text-muted" aria-hidden="true" />
    </div>
  );
}
