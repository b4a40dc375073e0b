import type { Language } from '@copydesk/domain/catalogue';
import { call } from '../../../lib/api/api.ts';

/** Connects a bot to a community. @throws ApiError */
export const connectBot = (communityId: string, token: string, language: Language) =>
  call('POST /api/exchange-bot', { body: { community_id: communityId, token: token.trim(), language } });
