import Eye from 'lucide-react/icons/eye';
import { useIdentity, useSession } from '../../features/identity/identity-context.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

/** The session behind the page is still the viewer's: a new name or password would be theirs. */
function ClosedToViews() {
  usePageTitle('Profile');
  return (
    <MessagePanel
      icon={Eye}
      level={1}
      title="Profiles are not part of a view"
      text="Only the person can open their own profile. Stop viewing to open yours."
    >
      <ToTraders />
    </MessagePanel>
  );
}

/** The own account, on the page of the identity service. */
export default function ProfileScreen() {
  const { ProfilePage } = useIdentity().client;
  const session = useSession();
  if (session.status === 'signed-in' && session.user.viewed_by !== null) return <ClosedToViews />;
  return <ProfilePage />;
}
