import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../../ui/figures/copy-button.tsx';
import { egressQuery } from './egress-query.ts';

/** The addresses that a key has to allow; nothing when the platform has not named any. */
export function EgressNote() {
  const { data = [] } = useQuery(egressQuery);
  if (data.length === 0) return null;
  const text = data.join(', ');
  return (
    <p className="flex items-start justify-between gap-2 rounded-md bg-subtle px-3 py-2 text-xs">
      <span className="min-w-0">
        If the key is restricted to IP addresses, it has to allow{' '}
        <span className="font-mono break-all">{text}</span>
      </span>
      <CopyButton what="addresses" getText={() => text} />
    </p>
  );
}
