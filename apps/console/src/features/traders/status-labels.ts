import type { TraderStatus } from '@copydesk/domain/traders';

export const STATUS_LABELS: Record<TraderStatus, string> = {
  pending: 'Pending',
  connected: 'Connected',
  delinquent: 'Delinquent',
};
