import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../features/identity/identity-context.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { SetupPanel } from '../../features/operations/setup/setup-panel.tsx';
import { ReleaseDialog } from '../../features/payouts/addresses/release-dialog.tsx';
import { GasWalletPanel } from '../../features/payouts/wallet/gas-wallet-panel.tsx';
import { RecipientsPanel } from '../../features/settings/recipients/recipients-panel.tsx';
import { SettingsHistory } from '../../features/settings/settings-history.tsx';
import { SettingsPanels } from '../../features/settings/settings-panels.tsx';
import { settingsKeys } from '../../features/settings/settings-queries.ts';
import { TelegramPanel } from '../../features/settings/telegram-panel.tsx';
import { StopsHistory } from '../../features/transfers/stops/stops-history.tsx';
import { invalidate } from '../../lib/api/read-again.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AdminPage, ToTraders } from './admin-page.tsx';

function Settings() {
  usePageTitle('Settings');
  const session = useSession();
  const client = useQueryClient();
  return (
    <AdminPage title="Settings">
      <SetupPanel />
      <SettingsPanels readerId={session.status === 'signed-in' ? session.user.id : ''} />
      <RecipientsPanel
        release={(changeId, onClose) => (
          <ReleaseDialog
            changeId={changeId}
            onClose={() => {
              void invalidate(client, { queryKey: settingsKeys.all });
              onClose();
            }}
          />
        )}
      />
      <TelegramPanel />
      <GasWalletPanel />
      <SettingsHistory />
      <StopsHistory />
    </AdminPage>
  );
}

export default function SettingsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Settings />
    </SuperOnly>
  );
}
