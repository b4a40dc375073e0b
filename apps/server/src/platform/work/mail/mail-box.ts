import { sql } from 'kysely';
import type { Keyring } from '../../secrets/keyring.ts';
import { sealSecret } from '../../secrets/sealed-secret.ts';
import { sealedTable } from '../../secrets/sealed-table.ts';
import { openStored } from '../../secrets/stored-secret.ts';
import type { NewMail } from './mails.store.ts';

export interface MailContents {
  subject: string;
  text: string;
}

const place = ({ id, recipient }: Pick<NewMail, 'id' | 'recipient'>) => `mail|${id}|contents|${recipient}|1`;

/** Seals subject and text for one mail to one address. */
export const sealContents = (
  keyring: Keyring,
  mail: Pick<NewMail, 'id' | 'recipient'>,
  { subject, text }: MailContents,
) => sealSecret(JSON.stringify({ subject, text }), place(mail), keyring.current);

/** @throws SealError when the bytes were changed or moved, or their master key is not configured */
export const openContents = (keyring: Keyring, mail: NewMail): MailContents =>
  JSON.parse(openStored(keyring, mail, place(mail)));

/** The mails that wait, for the rotation of the master key. */
export const SEALED_MAILS = sealedTable<Pick<NewMail, 'id' | 'recipient'>>({
  table: 'mail',
  key: ['id'],
  reads: sql`id, recipient`,
  place,
});
