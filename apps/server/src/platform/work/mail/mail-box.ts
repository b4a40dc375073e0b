import type { Keyring } from '../../secrets/keyring.ts';
import type { SealedTable } from '../../secrets/rotate-master-key.ts';
import { sealSecret } from '../../secrets/sealed-secret.ts';
import { openStored, rewrapStored } from '../../secrets/stored-secret.ts';
import {
  countMailsByMasterKey,
  lockMailsUnderOtherKeys,
  saveMailWrapping,
  type WaitingMail,
} from './mails.store.ts';

export interface MailContents {
  subject: string;
  text: string;
}

const place = ({ id, recipient }: Pick<WaitingMail, 'id' | 'recipient'>) =>
  `mail|${id}|contents|${recipient}|1`;

/** Seals subject and text for one mail to one address. */
export const sealContents = (
  keyring: Keyring,
  mail: Pick<WaitingMail, 'id' | 'recipient'>,
  { subject, text }: MailContents,
) => sealSecret(JSON.stringify({ subject, text }), place(mail), keyring.current);

/** @throws SealError when the bytes were changed or moved, or their master key is not configured */
export const openContents = (keyring: Keyring, mail: WaitingMail): MailContents =>
  JSON.parse(openStored(keyring, mail, place(mail)));

/** The mails that wait, for the rotation of the master key. */
export const SEALED_MAILS: SealedTable = {
  countByMasterKey: countMailsByMasterKey,
  async rewrapSome(tx, keyring, limit) {
    const rows = await lockMailsUnderOtherKeys(tx, keyring.current.id, limit);
    for (const row of rows) await saveMailWrapping(tx, row.id, rewrapStored(keyring, row, place(row)));
    return rows.length;
  },
};
