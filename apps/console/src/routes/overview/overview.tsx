import { FIGURE_NAMES, type FigureName } from '@copydesk/domain/overview';
import { useNavigate } from '@tanstack/react-router';
import { AttentionPanel } from '../../features/attention/attention-panel.tsx';
import type { AttentionSearch } from '../../features/attention/attention-search.ts';
import { TodayPanel } from '../../features/audit/today-panel.tsx';
import { useSession } from '../../features/identity/identity-context.ts';
import { type DayCounts, DayFacts } from '../../features/overview/day-facts.tsx';
import { type FigureCounts, FiguresPanel } from '../../features/overview/figures-panel.tsx';
import { settingTexts } from '../../features/settings/setting-views.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Count } from '../../ui/figures/linked.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ATTENTION_SHOWN } from '../attention/attention-kinds.tsx';

const COUNTS: FigureCounts = {
  outstanding: (shown) => (
    <Count {...shown} to={{ to: '/invoices', search: { tab: 'unpaid', type: 'regular' } }} />
  ),
  to_pay_out: (shown) => <Count {...shown} to={{ to: '/payouts/due' }} />,
  paid_out: (shown) => (
    <Count
      {...shown}
      to={{ to: '/transaction-history', search: { status: 'distributed', from: 'this_month' } }}
    />
  ),
  failed_or_stuck: (shown) => <Count {...shown} to={{ to: '/attention', search: { group: 'money_out' } }} />,
  not_delivered: (shown) => (
    <Count {...shown} to={{ to: '/messages', search: { outcome: 'not_delivered' } }} />
  ),
};
const DAY_COUNTS: DayCounts = {
  invoices: (shown) => <Count {...shown} to={{ to: '/invoices/runs' }} />,
  deposits: (shown) => <Count {...shown} plain="Deposits are listed with their traders" />,
  payouts: (shown) => (
    <Count {...shown} to={{ to: '/transaction-history', search: { status: 'distributed', from: 'today' } }} />
  ),
  harvests: (shown) => <Count {...shown} to={{ to: '/pools' }} />,
};
const OF_SUPER_ADMINS: readonly FigureName[] = ['to_pay_out', 'failed_or_stuck'];
/** The most urgent; the rest is one click away. */
const FIRST_ITEMS: AttentionSearch = { rows: '10' };

/** What one opens the console for: what is owed and paid, what waits, and what was done today. */
export default function OverviewScreen() {
  usePageTitle('Overview');
  const session = useSession();
  const navigate = useNavigate();
  const isSuper = session.status === 'signed-in' && session.user.super;
  return (
    <Page>
      <PageHeader title="Overview" note={!isSuper && 'What concerns your providers.'} />
      <FiguresPanel
        counts={COUNTS}
        places={FIGURE_NAMES.filter((name) => isSuper || !OF_SUPER_ADMINS.includes(name))}
      />
      <div className="grid items-start gap-4 2xl:grid-cols-3">
        <div className="min-w-0 2xl:col-span-2">
          <AttentionPanel
            kinds={ATTENTION_SHOWN}
            search={FIRST_ITEMS}
            onChange={(change) => void navigate({ to: '/attention', search: change })}
          />
        </div>
        {isSuper && <TodayPanel settings={settingTexts} system={<DayFacts counts={DAY_COUNTS} />} />}
      </div>
    </Page>
  );
}
