import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { Name } from '../../ui/figures/linked.tsx';
import { WaitingList } from '../../ui/form/waiting-list.tsx';
import { PersonActDialog } from './acts/person-act-dialog.tsx';
import { type Person, unconfirmedQuery } from './people-queries.ts';

/** Super admins that no other one has confirmed yet: until then they approve nothing. */
export function WaitingSuperAdmins({ readerId }: { readerId: string }) {
  const { data, error, refetch } = useQuery(unconfirmedQuery);
  const [asked, setAsked] = useState<Person | null>(null);
  return (
    <>
      <WaitingList
        isBox
        title="New super admins"
        approve="Confirm"
        total={data?.meta.total}
        failure={error && !data ? { message: messageOf(error), onRetry: () => void refetch() } : undefined}
        items={(data?.data ?? []).map((person) => ({
          id: person.id,
          text: (
            <>
              <bdi>
                <Name to={{ to: '/people/$userId', params: { userId: person.id } }}>{person.name}</Name>
              </bdi>
              , {person.email}. Who is not confirmed approves nothing.
            </>
          ),
          refusal: person.id === readerId ? 'Another super admin confirms you' : null,
          onApprove: () => setAsked(person),
        }))}
      />
      {asked && <PersonActDialog act="confirm" person={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
