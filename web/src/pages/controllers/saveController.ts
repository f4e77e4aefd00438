import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, client } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import { connectionOf, type ControllerValues } from './controllerValues.ts';
import { newSitesOf, type SiteOption } from './SiteChoice.tsx';

/** Whether a refusal only asks if somebody is sure: another controller seems to be the same console. */
export const isKnownConsole = (error: unknown): boolean =>
  error instanceof ApiError && error.message === 'console-known';

interface SaveInput {
  readonly values: ControllerValues;
  readonly chosen: readonly SiteOption[];
  readonly force: boolean;
}

/** Stores a controller, then its sites. What is stored already is not stored again after a failure. */
export const useSaveController = () => {
  const [storedId, setStoredId] = useState<number>();
  const save = useMutation({
    mutationFn: async ({ values, chosen, force }: SaveInput): Promise<number> => {
      let controllerId = storedId;
      if (controllerId === undefined) {
        const body = { ...connectionOf(values), name: values.name, force };
        const { data } = await client.POST('/controllers', { body });
        if (!data) throw new Error('an answer without a controller');
        controllerId = data.id;
        setStoredId(controllerId);
      }
      if (chosen.length > 0)
        await client.POST('/controllers/{controllerId}/sites', {
          params: { path: { controllerId } },
          body: newSitesOf(chosen),
        });
      return chosen.length;
    },
    onSettled: () => invalidate('/controllers', '/sites', '/overview'),
  });
  return { ...save, isStored: storedId !== undefined };
};
