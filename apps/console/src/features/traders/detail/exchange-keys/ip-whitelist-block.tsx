import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../../ui/figures/copy-button.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import { egressQuery } from '../connect/egress-query.ts';
import { RetryLine } from './retry-line.tsx';
import type { WhitelistState } from './whitelist-state.ts';

interface IpWhitelistBlockProps {
  state: WhitelistState;
  /** The account's name, for screen readers. */
  account: string;
  onRetry(): void;
}

const LONGEST = 'max-h-32'; // 8rem: console spec, section 9

function Content({ state, account, onRetry }: IpWhitelistBlockProps): ReactNode {
  switch (state.kind) {
    case 'loading':
      return <p className="text-muted">Loading IP whitelist...</p>;
    case 'failed':
      return <RetryLine text="Failed to load IP whitelist" reason={state.reason} onRetry={onRetry} />;
    case 'unavailable':
      return <p className="text-muted">IP whitelist not available for this exchange</p>;
    case 'unrestricted':
      return <p className="text-caution">Unrestricted (All IPs)</p>;
    case 'list':
      return (
        <>
          <p>
            <Count n={state.ips.length} plain="They are listed below" /> Allowed IP(s)
          </p>
          <MissingEgress ips={state.ips} />
          <ul
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
            tabIndex={0}
            aria-label={`Allowed IPs of ${account}`}
            className={`${LONGEST} mt-1 overflow-y-auto rounded-md border border-line`}
          >
            {state.ips.map((ip) => (
              <li
                key={ip}
                className="flex h-7 items-center justify-between gap-2 border-t border-line pe-0.5 ps-2 first:border-t-0"
              >
                <span className="truncate font-mono">{ip}</span>
                <CopyButton what={ip} getText={() => ip} />
              </li>
            ))}
          </ul>
        </>
      );
  }
}

/** Our addresses that a key does not allow: reads from them fail. */
function MissingEgress({ ips }: { ips: readonly string[] }) {
  const { data = [] } = useQuery(egressQuery);
  const missing = data.filter((address) => !ips.includes(address));
  if (missing.length === 0) return null;
  return <p className="break-words text-caution">Not allowed: our address {missing.join(', ')}</p>;
}

export function IpWhitelistBlock(props: IpWhitelistBlockProps) {
  return (
    <div className="min-w-0 text-xs max-@2xl:mt-2">
      <h4 className="font-medium leading-7">IP Whitelist</h4>
      <Content {...props} />
    </div>
  );
}
