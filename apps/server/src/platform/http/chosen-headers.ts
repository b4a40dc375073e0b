import type { FastifyRequest } from 'fastify';

/** The header with the user with whose eyes a super admin reads. */
const VIEW_AS = 'x-view-as';
/** The header with the one provider in which staff of several work. */
const ORGANIZATION = 'x-organization';

interface Chosen {
  viewAs?: string;
  organization?: string;
}

/** What a request has chosen to see less by. Nonsense is passed on: identity refuses it. */
export function chosenBy({ headers }: Pick<FastifyRequest, 'headers'>): Chosen {
  const viewAs = headers[VIEW_AS];
  const organization = headers[ORGANIZATION];
  return {
    ...(viewAs !== undefined && { viewAs: String(viewAs) }),
    ...(organization !== undefined && { organization: String(organization) }),
  };
}
