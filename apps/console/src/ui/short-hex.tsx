import { CopyButton } from './copy-button.tsx';

/** An address or a hash: shortened in the middle, copied in full. */
export function ShortHex({ value, what }: { value: string; what: string }) {
  const isShort = value.length <= 16;
  return (
    <span className="inline-flex items-center gap-1">
      <span className="font-mono text-xs" title={value}>
        {isShort ? value : `${value.slice(0, 8)}…${value.slice(-6)}`}
      </span>
      <CopyButton what={what} getText={() => value} />
    </span>
  );
}
