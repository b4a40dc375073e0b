import type { FastifyRequest } from 'fastify';

/** The header that names the user with whose eyes a super admin reads. */
const VIEW_AS = 'x-view-as';
/** The header that names the one provider in which staff of several work. */
const ORGANIZATION = 'x-organization';

interface Chosen {
  viewAs?: string;
  organization?: string;
}

/** How a request narrows what it sees. An invalid value is passed on: identity refuses it. */
export function chosenBy({ headers }: Pick<FastifyRequest, 'headers'>): Chosen {
  const viewAs = headers[VIEW_AS];
  const organization = headers[ORGANIZATION];
  return {
    ...(viewAs !== undefined && { viewAs: String(viewAs) }),
    ...(organization !== undefined && { organization: String(organization) }),
  };
}
