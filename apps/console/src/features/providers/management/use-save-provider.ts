import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { type Provider, providersKeys } from '../providers-queries.ts';
import { bodyOf, type ProviderForm } from './provider-fields.ts';

/** Creates or updates a provider. An unchanged one is not sent. */
export function useSaveProvider(
  provider: Provider | null,
  { onDone, onError }: { onDone(saved: Provider): void; onError(error: Error): void },
) {
  const client = useQueryClient();
  const once = useOnceKey();
  return useMutation({
    mutationFn: async (form: ProviderForm): Promise<Provider | null> => {
      const body = bodyOf(form, provider);
      if (!provider) {
        const { name = '', display_name = '', ...rest } = body;
        const request = { body: { name, display_name, ...rest }, idempotencyKey: once.keyOf(body) };
        return (await call('POST /api/providers', request)).data;
      }
      if (Object.keys(body).length === 0) return null;
      const params = { id: provider.id };
      const changes = { ...body, version: provider.version };
      const idempotencyKey = once.keyOf({ ...params, ...changes });
      return (await call('PUT /api/providers/{id}', { params, body: changes, idempotencyKey })).data;
    },
    onSuccess: (saved) => {
      if (!saved) toast({ tone: 'neutral', title: 'No changes to save' });
      else
        toast({
          tone: 'positive',
          title: provider ? 'Provider updated successfully' : 'Provider created successfully',
          text: saved.display_name,
        });
      void client.invalidateQueries({ queryKey: providersKeys.all });
      onDone(saved ?? (provider as Provider));
    },
    onError: (error) => {
      once.failed(error);
      onError(error);
      void client.invalidateQueries({ queryKey: providersKeys.all });
    },
  });
}
