import type { Tone } from '../../../ui/feedback/badge.tsx';
import type { SetupStep } from './setup-query.ts';

export const STEP_TITLES: Record<SetupStep['step'], string> = {
  worker: 'Worker',
  programs: 'Programs apart',
  audit_key: 'Audit key of workers',
  pool_keys: 'Keys of pools',
  public_address: 'Public address',
  mail: 'E-mail',
  super_admin: 'Super admins',
  provider: 'Provider',
  community: 'Community',
  recipients: 'Platform recipients',
  wallets: 'Wallets',
  chain: 'Chain',
  gas: 'Gas wallet',
  telegram: 'Telegram bot',
  second_super_admin: 'Second super admin',
  trader: 'First trader',
  exchange_account: 'First exchange account',
  limits: 'Limits of payouts',
  backups: 'Backups',
  address_hold: 'Hold of changed addresses',
};

/** The screens where the steps are done. The others are done on the server, or on the page of the checklist itself. */
export const STEP_SCREENS = {
  super_admin: '/profile',
  provider: '/providers',
  community: '/super-admin',
  second_super_admin: '/people',
  trader: '/service-tokens',
  exchange_account: '/',
} as const satisfies Partial<Record<SetupStep['step'], string>>;

export const STATE_WORDS: Record<SetupStep['state'], { label: string; tone: Tone }> = {
  done: { label: 'Done', tone: 'positive' },
  missing: { label: 'To do', tone: 'caution' },
  wrong: { label: 'Not working', tone: 'negative' },
};
