import type { Trader } from '@copydesk/contract/traders';
import Pencil from 'lucide-react/icons/pencil';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { languageName } from '../../../../lib/format/language-name.ts';
import { useCan } from '../../../../lib/rights.ts';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { EditKaitDialog } from './edit-kait-dialog.tsx';

const EditTraderDialog = lazy(() => import('./edit-trader-dialog.tsx'));

const missing = (text: string) => <span className="text-muted">{text}</span>;

export function UserPanel({ trader, communityName }: { trader: Trader; communityName: ReactNode }) {
  const isAllowed = useCan('traders:write');
  const [open, setOpen] = useState<'reference' | 'trader' | null>(null);
  const close = () => setOpen(null);
  const { telegram_username: username } = trader;
  return (
    <Panel
      title="User Information"
      actions={
        isAllowed && (
          <Button className="h-7!" onClick={() => setOpen('trader')}>
            Edit
          </Button>
        )
      }
    >
      <Facts>
        <Fact label="Reference Number">
          <span className="flex items-center justify-end gap-1">
            {trader.reference_number ? (
              <span className="font-mono text-sm break-all">{trader.reference_number}</span>
            ) : (
              missing('Not set')
            )}
            {isAllowed && (
              <button
                type="button"
                aria-label="Edit KAIT number"
                title="Edit KAIT number"
                onClick={() => setOpen('reference')}
                className="-my-1 -me-1.5 flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
              >
                <Pencil className="size-3.5" aria-hidden="true" />
              </button>
            )}
          </span>
        </Fact>
        <Fact label="Name">{trader.name ?? missing('Not provided')}</Fact>
        <Fact label="Email">{trader.email ?? missing('Not provided')}</Fact>
        <Fact label="Telegram">{username ? `@${username.replace(/^@/, '')}` : missing('Not provided')}</Fact>
        <Fact label="Telegram ID">
          {trader.telegram_user_id ? (
            <span className="font-mono text-sm">{trader.telegram_user_id}</span>
          ) : (
            missing('Not provided')
          )}
        </Fact>
        <Fact label="Community">{communityName}</Fact>
        <Fact label="Language">{languageName(trader.language)}</Fact>
      </Facts>
      {open === 'reference' && <EditKaitDialog trader={trader} onClose={close} />}
      {open === 'trader' && (
        <Suspense fallback={null}>
          <EditTraderDialog trader={trader} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}
