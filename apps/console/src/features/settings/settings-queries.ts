import type { CallAnswer, CallInput } from '@copydesk/contract';
import type { PlatformSettings, SettingName } from '@copydesk/domain/settings';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

type WireSetting = CallAnswer<'GET /api/platform-settings'>['data'][number];
/** A setting with a value of its own type. */
export type Setting<Name extends SettingName = SettingName> = Omit<
  WireSetting,
  'name' | 'value' | 'default'
> & {
  name: Name;
  value: PlatformSettings[Name];
  default: PlatformSettings[Name];
};
export type SettingChange = CallAnswer<'GET /api/platform-settings/changes'>['data'][number];
export type WaitingChange = NonNullable<WireSetting['waiting']>;
export type Recipient = CallAnswer<'GET /api/platform-settings/recipients'>['data'][number];
export type SettingInput = CallInput<'PUT /api/platform-settings'>['body'];

export const settingsKeys = { all: ['platform-settings'] } as const;

/** Settings raise no change events: they are read again when the screen opens, and after every act. */
const fresh = { staleTime: 10_000, refetchOnMount: true } as const;

export const settingsQuery = queryOptions({
  ...fresh,
  queryKey: [...settingsKeys.all, 'list'],
  queryFn: async ({ signal }) => (await call('GET /api/platform-settings', { signal })).data as Setting[],
});

export const recipientsQuery = queryOptions({
  ...fresh,
  queryKey: [...settingsKeys.all, 'recipients'],
  queryFn: async ({ signal }) => (await call('GET /api/platform-settings/recipients', { signal })).data,
});

export const settingChangesQuery = (limit: number) =>
  queryOptions({
    ...fresh,
    queryKey: [...settingsKeys.all, 'changes', limit],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/platform-settings/changes', { query: { limit: String(limit) }, signal }),
  });

export type PlatformBot = CallAnswer<'GET /api/platform-bot'>['data'];

export const platformBotKey = [...settingsKeys.all, 'bot'] as const;

/** How often the screen looks whether the worker has taken over a changed token. */
const WAITING_MS = 2_000;

export const platformBotQuery = queryOptions({
  ...fresh,
  queryKey: platformBotKey,
  queryFn: async ({ signal }) => (await call('GET /api/platform-bot', { signal })).data,
  refetchInterval: ({ state: { data } }) =>
    data && data.changed_at !== null && !data.is_in_effect ? WAITING_MS : false,
});
