import type { TraderSource } from '@copydesk/domain';
import type { Actor } from '../../platform/audit/audit.ts';

const SOURCES: Record<Actor['kind'], TraderSource> = { user: 'staff', service: 'program', system: 'bot' };

/** Who adds a trader. Among the parts of the system only the bots of communities do. */
export const sourceOf = ({ kind }: Actor): TraderSource => SOURCES[kind];
