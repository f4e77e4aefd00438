import { useMutation } from '@tanstack/react-query';
import type { paths } from '../../../generated/web.ts';
import { invalidate } from '../api/queryClient.ts';
import { useNotify } from '../notify/notify.tsx';

interface SaveOptions<Values> {
  readonly save: (values: Values) => Promise<unknown>;
  /** What is said when it is done. */
  readonly done: (values: Values) => string;
  /** What is fetched again. */
  readonly outdated: readonly (keyof paths)[];
  readonly onClose: () => void;
}

/** Saves what a dialog holds, says so, and closes it; a failure leaves it open. */
export const useSave = <Values>({ save, done, outdated, onClose }: SaveOptions<Values>) => {
  const notify = useNotify();
  return useMutation({
    mutationFn: save,
    onSuccess: (_saved, values) => {
      notify.done(done(values));
      onClose();
    },
    onSettled: () => invalidate(...outdated),
  });
};

interface RemoveOptions extends Pick<SaveOptions<undefined>, 'outdated' | 'onClose'> {
  readonly remove: () => Promise<unknown>;
  readonly done: string;
}

/** Removes something after a ConfirmDialog, which takes what this returns. */
export const useRemove = ({ remove, done, ...options }: RemoveOptions) => {
  const { isPending, error, mutate } = useSave<undefined>({ ...options, save: remove, done: () => done });
  return { isPending, error, onConfirm: () => mutate(undefined) };
};
