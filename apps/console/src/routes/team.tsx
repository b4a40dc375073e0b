import { roleHas } from '@copydesk/domain/access';
import Users from 'lucide-react/icons/users';
import { useSession } from '../features/identity/identity-context.ts';
import { TeamPanel } from '../features/people/team/team-panel.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { Page, PageHeader } from '../ui/layout/page.tsx';
import { ToTraders } from './admin/admin-page.tsx';

/** The colleagues of an owner, by provider. */
export default function TeamScreen() {
  usePageTitle('Team');
  const session = useSession();
  const providers = session.status === 'signed-in' ? session.user.providers : [];
  const owned = providers.filter(({ role }) => roleHas(role, 'people:read'));
  if (owned.length === 0)
    return (
      <MessagePanel
        icon={Users}
        level={1}
        title="For owners of a provider"
        text="Ask a super admin to make you the owner of your provider."
      >
        <ToTraders />
      </MessagePanel>
    );
  return (
    <Page>
      <PageHeader title="Team" note="Super admins invite people and change their roles." />
      {owned.map(({ id, name }) => (
        <TeamPanel key={id} providerId={id} title={`Staff of ${name}`} />
      ))}
    </Page>
  );
}
