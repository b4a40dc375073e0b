import type { Database } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { queueAgain } from './messages.store.ts';
import * as views from './messages.views.ts';
import { notifyUnpaid } from './notify.service.ts';

type MessageCalls = `${string} /api/messages${string}` | 'POST /api/invoices/trader/{id}/notify';
const DEFAULT_PAGE = 25;

export function createMessageRoutes({
  db,
}: {
  db: Database;
}): Pick<Handlers, Extract<keyof Handlers, MessageCalls>> {
  return {
    'GET /api/messages': async ({ query, scope }) => {
      const { limit = DEFAULT_PAGE, offset = 0 } = query;
      const { data, total } = await db.read(scope, (tx) =>
        views.listMessages(tx, { ...query, limit, offset }),
      );
      return { success: true, data, meta: { total } };
    },

    'POST /api/invoices/trader/{id}/notify': ({ params, once }) =>
      once(async (tx) => {
        const { messageId } = await notifyUnpaid(tx, params.id);
        return { success: true, message: 'Notification Sent', data: { message_id: messageId } };
      }),

    'POST /api/messages/{id}/retry': ({ params, once }) =>
      once(async (tx) => {
        const before = await views.findMessage(tx, params.id);
        if (!before) throw new ApiError('not_found');
        if (!(await queueAgain(tx, params.id))) throw new ApiError('message_not_failed');
        tx.audit({
          action: 'message.retried',
          target: { kind: 'message', id: params.id },
          before: { problem: before.problem },
        });
        const data = await views.findMessage(tx, params.id);
        if (!data) throw new ApiError('not_found');
        return { success: true, data };
      }),
  };
}
