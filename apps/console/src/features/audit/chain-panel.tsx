import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/api/read-again.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { ErrorLine } from '../../ui/feedback/error-line.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Address } from '../../ui/figures/address.tsx';
import { Fact, Facts } from '../../ui/figures/fact.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { type AuditChain, auditChainQuery, auditKeys } from './audit-queries.ts';

const PROBLEMS = {
  missing_entry: 'is missing',
  altered_entry: 'was altered',
  broken_link: 'does not follow the one before, or is in no seal',
} as const;

/** What the check says besides that the chain is intact. */
function notesOn({ foreign_entries: foreign, foreign_seq: first, unchecked_entries: unchecked }: Last) {
  if (foreign)
    return `${formatCount(foreign)} ${foreign === 1 ? 'entry is' : 'entries are'} under the name of the worker without its key, the first is #${first}`;
  return unchecked
    ? `The own hashes of ${formatCount(unchecked)} entries of workers were not checked: this worker has no AUDIT_WORKER_KEY`
    : null;
}

type Last = NonNullable<AuditChain['last']>;

function Result({ last }: { last: Last }) {
  const notes = notesOn(last);
  if (last.is_intact)
    return (
      <>
        {last.foreign_entries ? (
          <State tone="negative">Foreign entries</State>
        ) : (
          <State tone="positive">Intact</State>
        )}
        <span className="block text-xs text-muted">
          <Count n={last.entries ?? 0} plain="They are the whole log" /> entries,{' '}
          <When at={last.finished_at ?? last.requested_at} />
        </span>
        {notes && (
          <span className={`block text-xs ${last.foreign_entries ? 'text-negative' : 'text-muted'}`}>
            {notes}
          </span>
        )}
      </>
    );
  return (
    <>
      <State tone="negative">Broken</State>
      <span className="block text-xs text-negative">
        Entry {last.problem_seq} {last.problem && PROBLEMS[last.problem]}
      </span>
    </>
  );
}

/** The chain of the audit: its last check, its head, and the heads noted outside of the database. */
export function ChainPanel() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(auditChainQuery);
  const verify = useMutation({
    mutationFn: () => call('POST /api/audit/verify'),
    onError: (failure) =>
      toast({ tone: 'negative', title: 'The check was not requested', text: messageOf(failure) }),
    onSettled: readAgain(client, auditKeys.chain),
  });
  const isOpen = Boolean(data?.open);
  return (
    <Panel
      title="Chain"
      actions={
        <Button
          className="h-7!"
          disabled={!data || isOpen || verify.isPending}
          onClick={() => verify.mutate()}
        >
          {isOpen ? 'Checking...' : 'Verify chain'}
        </Button>
      }
    >
      {error && !data ? (
        <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Facts aria-busy={!data}>
          <Fact label="Last check">
            {!data ? (
              <span className="skeleton inline-block h-3 w-24" />
            ) : data.last ? (
              <Result last={data.last} />
            ) : (
              <span className="text-muted">Not checked yet</span>
            )}
          </Fact>
          {data?.open && (
            <Fact label="Under way">
              Requested by {data.open.requested_by}
              <When at={data.open.requested_at} className="block text-xs text-muted" />
            </Fact>
          )}
          <Fact label="Head">
            {data?.head ? (
              <>
                Position {data.head.position}, entry #{data.head.seq}{' '}
                <Address address={data.head.hash} what="hash of the head" />
              </>
            ) : (
              <span className="text-muted">{data ? 'No entries' : '...'}</span>
            )}
          </Fact>
          {data && data.unsealed.count > 0 && (
            <Fact label="Not sealed yet">
              <Count n={data.unsealed.count} plain="A worker seals them within a second" />
              {data.unsealed.since && (
                <span className="block text-xs text-muted">
                  The first was written <When at={data.unsealed.since} />
                </span>
              )}
            </Fact>
          )}
          <Fact label="Noted outside">
            {data?.noted.length ? (
              data.noted.map(({ position, at, problem }) => (
                <span key={`${position} ${at}`} className="block">
                  Position {position}, <When at={at} />
                  {problem && (
                    <span className="block text-xs text-negative">
                      {problem === 'removed'
                        ? 'Entries were removed before they were sealed'
                        : 'The chain does not continue it'}
                    </span>
                  )}
                </span>
              ))
            ) : (
              <span className="text-muted">
                {data ? 'Not noted yet: workers do every ten minutes' : '...'}
              </span>
            )}
          </Fact>
        </Facts>
      )}
      <p className="mt-2 text-xs text-pretty text-muted">
        Every entry carries a keyed hash of itself. A worker seals it into the chain within a second: with a
        hash over it and the position before, and a second one under a key that only workers have. A check
        recomputes all of them; heads that workers note outside of the database show whether the end was cut
        off.
      </p>
    </Panel>
  );
}
