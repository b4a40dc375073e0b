import { z } from 'zod';
import { splitList } from './split-list.ts';

/** An address of a server, over HTTP. */
export const httpAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address, as in https://example.com',
});

/** Such addresses, separated by commas. */
export const httpAddresses = z.string().transform(splitList).pipe(z.array(httpAddress));

/** A mail server. Its password is in it: no message may repeat it. */
export const mailServer = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: 'must be the address of a mail server, as in smtps://user:password@mail.example.com',
});

const ADDRESS = '[^\\s<>@]+@[^\\s<>@]+';
/** `name@example.com`, or the same with a name before it. */
export const mailSender = z
  .string()
  .regex(
    new RegExp(`^(${ADDRESS}|[^<>@]*<${ADDRESS}>)$`),
    'must be an e-mail address, as in Copydesk <console@example.com>',
  );
