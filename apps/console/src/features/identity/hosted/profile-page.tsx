import { UserProfile } from '@clerk/react';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { asPanel } from './appearance.ts';

/** The own account on the service's page: name, address, password, second factors, devices. */
export default function ProfilePage() {
  usePageTitle('Profile');
  return (
    <div className="mx-auto w-full max-w-4xl p-4 md:p-6">
      <h1 tabIndex={-1} className="mb-4 text-lg font-semibold tracking-tight">
        Profile
      </h1>
      <UserProfile routing="hash" appearance={asPanel} />
    </div>
  );
}
