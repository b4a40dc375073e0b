import { UserProfile } from '@clerk/react';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../../ui/layout/page.tsx';
import { asPanel } from './appearance.ts';

/** The own account on the service's page: name, address, password, second factors, devices. */
export default function ProfilePage() {
  usePageTitle('Profile');
  return (
    <Page>
      <PageHeader title="Profile" />
      <UserProfile routing="hash" appearance={asPanel} />
    </Page>
  );
}
