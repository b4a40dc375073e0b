import { useQuery } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useSession } from '../../identity-context.ts';

/**
 * Names the account that a link opens, in a field under which password managers store the new password, and
 * the account that is signed in here meanwhile: a person who opened another person's link notices before
 * using it.
 */
export function LinkOwner({ kind, token }: { kind: 'accept' | 'reset'; token: string | null }) {
  const session = useSession();
  const { data, error } = useQuery({
    queryKey: ['link-owner', kind, token],
    queryFn: async ({ signal }) =>
      (await call('POST /api/sign-in-links/look', { body: { kind, token: token ?? '' }, signal })).data,
    enabled: token !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const user = session.status === 'signed-in' ? session.user : null;
  return (
    <TextField
      label="E-mail address"
      name="username"
      type="email"
      autoComplete="username"
      readOnly
      value={data?.email ?? ''}
      error={error ? messageOf(error) : undefined}
      hint={
        user && data && user.email !== data.email
          ? `You are signed in as ${user.email} in this browser. This link is for another account.`
          : 'The account that this link is for'
      }
    />
  );
}
