import type { StaffRole } from '@copydesk/domain/access';
import { call } from './callers.ts';
import type { World } from './world.ts';

interface Wanted {
  admin?: boolean;
  super?: boolean;
  disabled?: boolean;
  /** All providers and roles of the person, as they shall be. */
  provider_access?: readonly (string | undefined)[];
  staff_roles?: Readonly<Record<string, StaffRole>>;
}

/** Changes the access of a person as the console does: what differs, against the version that was read. */
export async function giveAccess(
  world: Pick<World, 'app'>,
  authorization: string,
  id: string,
  { provider_access: wanted, staff_roles: roles, ...flags }: Wanted,
) {
  const path = `/api/users/${id}`;
  const { data: present } = (await call(world, ['GET', path], { authorization })).body;
  const held: readonly string[] = present?.provider_access ?? [];
  const defaults = Object.keys(present?.staff_roles ?? {}).map((provider) => [provider, 'staff']);
  const body = {
    ...flags,
    ...(wanted && {
      provider_access: {
        added: wanted.filter((each) => each === undefined || !held.includes(each)),
        removed: held.filter((each) => !wanted.includes(each)),
      },
    }),
    ...(roles && { staff_roles: { ...Object.fromEntries(defaults), ...roles } }),
    version: present?.version ?? 'f'.repeat(16),
  };
  return call(world, ['PATCH', path], { authorization, body });
}
