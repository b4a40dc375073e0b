import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../../platform/observe/log.ts';
import type { CountingGateway } from './create-gateway.ts';
import type { NoteVenue, NoticeCounts } from './notices.ts';

/**
 * Shows what this process counted about the exchanges: lists that ended before their venue said so, and codes that are
 * in none of its lists, at most 40 by name and venue. The counts begin again when the gateway's thread does.
 */
export function measureVenues(registry: Registry, gateway: Pick<CountingGateway, 'usage'>): void {
  const count = (of: keyof NoticeCounts, label: string, { name, help }: { name: string; help: string }) =>
    new Counter({
      name,
      help,
      labelNames: ['exchange', label],
      registers: [registry],
      async collect() {
        const usage = await gateway.usage();
        this.reset();
        for (const [exchange, { notices }] of Object.entries(usage))
          for (const [why, times] of Object.entries(notices[of])) this.inc({ exchange, [label]: why }, times);
      },
    });
  count('lists', 'reason', {
    name: 'copydesk_exchange_lists_ended_total',
    help: 'Lists of an exchange that ended before it said so',
  });
  count('codes', 'code', {
    name: 'copydesk_exchange_unknown_codes_total',
    help: 'Answers of an exchange with a code that is in none of its lists',
  });
}

/** Logs notices: their words are ours, and a code has letters and digits only. */
export const logNotices =
  (log: Logger): NoteVenue =>
  (notice) =>
    log.warn(notice, 'an exchange answered something odd');
