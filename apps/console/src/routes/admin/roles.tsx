import { SuperOnly } from '../../features/identity/super-only.tsx';
import { CallsPanel } from '../../features/people/roles/calls-panel.tsx';
import { RolesMatrix } from '../../features/people/roles/roles-matrix.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AdminPage, ToTraders } from './admin-page.tsx';

function Roles() {
  usePageTitle('Roles');
  return (
    <AdminPage title="Roles">
      <RolesMatrix />
      <CallsPanel />
    </AdminPage>
  );
}

export default function RolesScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Roles />
    </SuperOnly>
  );
}
