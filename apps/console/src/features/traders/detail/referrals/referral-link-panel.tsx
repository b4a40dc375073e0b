import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { useCan } from '../../../../lib/rights.ts';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { CopyButton } from '../../../../ui/figures/copy-button.tsx';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { useAct } from '../../../../ui/form/use-act.ts';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { tradersKeys } from '../../traders-queries.ts';
import { referralsQuery } from './referrals-query.ts';

/** The link that a trader gives to others, and who referred the trader. */
export function ReferralLinkPanel({ traderId }: { traderId: string }) {
  const isAllowed = useCan('traders:write');
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(referralsQuery(traderId));
  return (
    <Panel
      title="Referral Link"
      actions={
        isAllowed &&
        data && (
          <Button look="quiet" className="h-7!" onClick={() => setAsking(true)}>
            New code
          </Button>
        )
      }
    >
      <QueryState
        small
        error={
          error && !data
            ? { title: 'The referral code could not be loaded', message: messageOf(error) }
            : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<div aria-hidden="true" className="skeleton h-24" />}
        isEmpty={false}
        empty={null}
      >
        {data && (
          <Facts>
            <Fact label="Code">
              <span className="flex items-center justify-end gap-1">
                <span className="font-mono text-sm">{data.meta.referral_code}</span>
                <CopyButton what="referral code" isQuiet getText={() => data.meta.referral_code} />
              </span>
            </Fact>
            <Fact label="Link">
              <ReferralLink link={data.meta.referral_link} />
            </Fact>
            <Fact label="Referred by">
              {data.meta.referred_by ? (
                <Link
                  to="/trader/$traderId"
                  params={{ traderId: data.meta.referred_by.id }}
                  className="rounded font-medium hover:text-accent hover:underline"
                >
                  {data.meta.referred_by.display_name}
                </Link>
              ) : (
                <span className="text-muted">None</span>
              )}
              {data.meta.referrer_awaits_release && (
                <span className="block text-xs text-caution">Waits for a release: its shares are held</span>
              )}
            </Fact>
          </Facts>
        )}
      </QueryState>
      {isAsking && <NewCodeDialog traderId={traderId} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function ReferralLink({ link }: { link: string | null }) {
  if (link === null) return <span className="text-muted">The community has no active bot</span>;
  return (
    <span className="flex items-center justify-end gap-1">
      <span className="truncate text-xs">{link.replace('https://', '')}</span>
      <CopyButton what="referral link" isQuiet getText={() => link} />
    </span>
  );
}

function NewCodeDialog({ traderId, onClose }: { traderId: string; onClose(): void }) {
  const renew = useAct({
    send: async () =>
      (await call('POST /api/traders/{id}/referrals/regenerate', { params: { id: traderId } })).data,
    done: ({ referral_code }) => ({ title: 'Referral code replaced', text: `It is ${referral_code} now` }),
    reads: tradersKeys.detail(traderId),
    onDone: onClose,
  });
  return (
    <AskDialog
      title="New referral code"
      text="The present code and its link stop working. Traders who used them stay referred."
      confirm="Replace code"
      busy="Replacing..."
      {...renew}
      onClose={onClose}
    />
  );
}
