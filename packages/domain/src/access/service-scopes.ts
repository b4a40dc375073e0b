/** Scopes of service tokens. A call without a service scope refuses service tokens. */
export const SERVICE_SCOPES = [
  'traders:read',
  'traders:write',
  'directory:read',
  'invoices:read',
  'pool_requests',
] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];
