import Eye from 'lucide-react/icons/eye';
import { AttentionMailPanel } from '../../features/attention/attention-mail-panel.tsx';
import { useSession } from '../../features/identity/identity-context.ts';
import { SettingsPanel } from '../../features/identity/own-settings/settings-panel.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

/** How the product is shown to the person on screen. */
export default function PreferencesScreen() {
  usePageTitle('Your settings');
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  const { user } = session;
  if (user.viewed_by !== null)
    return (
      <MessagePanel
        icon={Eye}
        level={1}
        title="Settings are not changed in a view"
        text={`What you see is shown as ${user.name} has it. Stop viewing to open your own settings.`}
      >
        <ToTraders />
      </MessagePanel>
    );
  return (
    <Page>
      <PageHeader
        title="Your settings"
        note="How the product is shown to you, on every device, and what it tells you of what waits. A change counts at once."
      />
      <SettingsPanel user={user} />
      <AttentionMailPanel />
    </Page>
  );
}
