import { formatUsd } from '@copydesk/domain';
import { Fact } from '../../../ui/fact.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ShortHex } from '../../../ui/short-hex.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';

const missing = (text: string) => <span className="text-muted">{text}</span>;

/** Our wallet for the community, and where its own part goes. */
export function WalletsPanel({ wallets }: Pick<CommunityWithSettings, 'wallets'>) {
  const { internal, external } = wallets;
  return (
    <Panel title="Wallets">
      <dl>
        <Fact label="Internal balance">
          {internal.balance === null ? (
            missing('Not known yet')
          ) : (
            <span className="font-semibold tabular-nums">{formatUsd(internal.balance)}</span>
          )}
        </Fact>
        <Fact label="Internal address">
          {internal.address ? (
            <ShortHex value={internal.address} what="internal wallet address" />
          ) : (
            missing('Not assigned yet')
          )}
        </Fact>
        <Fact label="External address">
          {external.address ? (
            <ShortHex value={external.address} what="external wallet address" />
          ) : (
            missing('No external address set')
          )}
        </Fact>
      </dl>
    </Panel>
  );
}
