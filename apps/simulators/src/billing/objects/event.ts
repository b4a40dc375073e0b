export const eventObject = (event: { id: string; type: string; created: number; object: unknown }) => ({
  id: event.id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: event.created,
  data: { object: event.object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: event.type,
});
