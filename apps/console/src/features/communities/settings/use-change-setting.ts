import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { toast } from '../../../ui/toast-store.ts';
import { type CommunityWithSettings, communitiesKeys } from '../communities-queries.ts';
import { SETTING_TITLES, type Setting, settingText, settingValue } from './setting-fields.ts';

/** The server has answered, and with the same key would answer the same again. */
const isAnswered = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Changes one setting of a community. What failed on the way is sent again under the same key, so that it is done once. */
export function useChangeSetting(community: CommunityWithSettings, setting: Setting) {
  const client = useQueryClient();
  const sent = useRef({ text: '', key: '' });
  const { id } = community;
  return useMutation({
    mutationFn: (typed: string) => {
      const body = { [setting]: settingValue(setting, typed) };
      const text = JSON.stringify(body);
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      return call('PATCH /api/super-admin/communities/{id}', {
        params: { id },
        body,
        idempotencyKey: sent.current.key,
      });
    },
    onSuccess: ({ data }) => {
      toast({
        tone: 'positive',
        title: `${SETTING_TITLES[setting]} updated`,
        text: `${community.name}: ${settingText(setting, data[setting])}`,
      });
      client.setQueryData(
        communitiesKeys.record(id),
        (shown: CommunityWithSettings | undefined) => shown && { ...shown, ...data },
      );
      void client.invalidateQueries({ queryKey: communitiesKeys.all });
    },
    onError: (error) => {
      if (isAnswered(error)) sent.current = { text: '', key: '' };
    },
  });
}
