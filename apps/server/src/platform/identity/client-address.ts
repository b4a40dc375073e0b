/**
 * Header in which the server passes the client's address to the identity service. We always set it, from the socket or
 * the trusted proxies, and drop any value that a client sends under this name.
 */
export const CLIENT_ADDRESS_HEADER = 'x-copydesk-client-address';
