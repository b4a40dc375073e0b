import { type CheckedStep, checkSetup } from '@copydesk/domain/setup';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readSetupFacts, type SetUpOutside } from './setup-facts.views.ts';

export interface SetupCheck {
  /** Every step, for the checklist on screen: asks the mail server first. */
  checkNow(read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<CheckedStep[]>;
  /** The same with what the mail server said last, so that a transaction does not wait for it. */
  check(tx: Tx): Promise<CheckedStep[]>;
}

interface SetupCheckDeps {
  settings: Pick<LiveSettings, 'current'>;
  /** What the configuration says of the set-up. */
  setUp: Omit<SetUpOutside, 'settings' | 'mail'>;
  /** Whether the mail server takes mail now. */
  checkMail: () => Promise<SetUpOutside['mail']>;
  now: () => Date;
}

/** Attention is read all day, so it asks the mail server only this often. */
const ASK_MAIL_EVERY_MS = 5 * 60_000;

/** The one check of how far the installation is set up, for the checklist and for Attention. */
export function createSetupCheck({ settings, setUp, checkMail, now }: SetupCheckDeps): SetupCheck {
  // Mail counts as working until the server has answered for the first time.
  let lastMail: SetUpOutside['mail'] = { problem: null };
  let askedAt = Number.NEGATIVE_INFINITY;
  const askMail = async () => {
    askedAt = now().getTime();
    lastMail = await checkMail();
    return lastMail;
  };
  const judge = async (tx: Tx, mail: SetUpOutside['mail']) =>
    checkSetup(await readSetupFacts(tx, { ...setUp, mail, settings: settings.current() }));
  return {
    async checkNow(read) {
      const mail = await askMail();
      return read((tx) => judge(tx, mail));
    },
    check(tx) {
      if (now().getTime() - askedAt >= ASK_MAIL_EVERY_MS) void askMail();
      return judge(tx, lastMail);
    },
  };
}
