import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { useNotify } from '../../notify/notify.tsx';

/**
 * The profiles in the order that somebody gives them, which is saved at once. Moves that come while one is being saved
 * are saved after it. When another administrator was faster, that is told, and their order is shown.
 */
export const useProfileOrder = ({ profiles, revision }: Schemas['ProfileList']) => {
  const notify = useNotify();
  const [order, setOrder] = useState<readonly number[]>();
  const wanted = useRef<readonly number[]>([]);
  /** The revision after what was saved last, which the list may not tell yet. */
  const saved = useRef(0);
  const isSaving = useRef(false);
  const save = useMutation({
    mutationFn: async () => {
      isSaving.current = true;
      try {
        for (;;) {
          const sent = wanted.current;
          const before = Math.max(revision, saved.current);
          await client.PUT('/profile-order', { body: { profileIds: [...sent], revision: before } });
          saved.current = before + 1;
          if (sent === wanted.current) return;
        }
      } finally {
        isSaving.current = false;
      }
    },
    onError: notify.failed,
    onSettled: async () => {
      await invalidate('/profiles', '/desk', '/audit');
      if (!isSaving.current) setOrder(undefined);
    },
  });
  const shown = order
    ? [...profiles].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    : [...profiles];
  return {
    profiles: shown,
    reorder: (ids: readonly number[]): void => {
      wanted.current = ids;
      setOrder(ids);
      if (!isSaving.current) save.mutate();
    },
  };
};
