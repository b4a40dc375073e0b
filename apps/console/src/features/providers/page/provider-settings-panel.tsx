import type { ReactNode } from 'react';
import { shownPercentage } from '../../../lib/format/figures.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { Provider } from '../providers-queries.ts';

const none = <span className="text-muted">Not set</span>;

interface ProviderSettingsPanelProps {
  provider: Provider;
  /** Below the payout address. */
  addressNote: ReactNode;
  onEdit(): void;
  onInvoicing(): void;
}

/** The settings of a provider. */
export function ProviderSettingsPanel({
  provider,
  addressNote,
  onEdit,
  onInvoicing,
}: ProviderSettingsPanelProps) {
  return (
    <Panel
      title="Settings"
      actions={
        <Button className="h-7!" onClick={onEdit}>
          Edit
        </Button>
      }
    >
      <Facts>
        <Fact label="Internal name">
          <Name plain="This is its page">{provider.name}</Name>
        </Fact>
        <Fact label="Payment split">
          <Percentage fraction={provider.payment_split_percentage} className="font-semibold" />
        </Fact>
        <Fact label="Minimum commission">
          {provider.minimum_commission_rate > 0
            ? `${shownPercentage(provider.minimum_commission_rate)}% of profit`
            : none}
        </Fact>
        <Fact label="Payout address">
          {provider.payout_address ? (
            <Address address={provider.payout_address} what="payout address" />
          ) : (
            <span className="text-caution">Not set: its shares wait</span>
          )}
          {addressNote}
        </Fact>
        <Fact label="Invoicing">
          <span className="inline-flex items-center gap-2">
            <State tone={provider.invoicing_enabled ? 'positive' : 'caution'}>
              {provider.invoicing_enabled ? 'Enabled' : 'Disabled'}
            </State>
            <button
              type="button"
              className="rounded text-xs font-medium text-accent hover:underline"
              onClick={onInvoicing}
            >
              {provider.invoicing_enabled ? 'Disable' : 'Enable'}
            </button>
          </span>
        </Fact>
        <Fact label="Telegram admin channel">{provider.telegram_admin_channel_id ?? none}</Fact>
        <Fact label="Exchange secrets">
          {provider.reveal_super_only ? 'Super admins only' : 'Its staff may reveal them'}
        </Fact>
      </Facts>
    </Panel>
  );
}
