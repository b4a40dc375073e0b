import { Link } from '@tanstack/react-router';
import { AttentionPanel } from '../../features/attention/attention-panel.tsx';
import { attentionList } from '../../features/attention/attention-search.ts';
import { useSession } from '../../features/identity/identity-context.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ATTENTION_SHOWN } from './attention-kinds.tsx';

export default function AttentionScreen() {
  usePageTitle('Attention');
  const [search, change] = useScreenSearch(attentionList.read);
  const session = useSession();
  const isStaff = session.status === 'signed-in' && !session.user.super;
  return (
    <Page>
      <PageHeader
        title="Attention"
        note={isStaff && 'What concerns your providers.'}
        actions={
          !isStaff && (
            <Link to="/approvals" className="rounded text-accent hover:underline">
              Approvals
            </Link>
          )
        }
      />
      <AttentionPanel kinds={ATTENTION_SHOWN} search={search} onChange={change} />
    </Page>
  );
}
