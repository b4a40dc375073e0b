import X from 'lucide-react/icons/x';

/** One active filter, removable. */
export function Chip({ label, value, onRemove }: { label: string; value: string; onRemove(): void }) {
  return (
    <span className="inline-flex h-6 max-w-60 items-center gap-1 rounded-md border border-line bg-surface ps-2 text-xs">
      <span className="text-muted">{label}</span>
      <span className="truncate font-medium">{value}</span>
      <button
        type="button"
        aria-label={`Remove filter ${label} ${value}`}
        onClick={onRemove}
        className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:text-ink"
      >
        <X className="size-3" aria-hidden="true" />
      </button>
    </span>
  );
}
