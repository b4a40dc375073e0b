/**
 * Header in which the server hands the address of the client to the identity service. It is always set by us,
 * from the socket or the trusted proxies; what a client sends under this name is dropped.
 */
export const CLIENT_ADDRESS_HEADER = 'x-copydesk-client-address';
