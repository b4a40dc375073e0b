import { useIdentity } from '../features/identity/identity-context.ts';

/** The own account, on the page of the identity service. */
export default function ProfileScreen() {
  const { ProfilePage } = useIdentity().client;
  return <ProfilePage />;
}
