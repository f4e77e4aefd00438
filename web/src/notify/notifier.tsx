import { useTimeout } from '@mantine/hooks';
import type { NotificationData } from '@mantine/notifications';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart, loadOnline } from '../lib/lazyPart.ts';
import { preloadMs } from '../lib/preload.ts';

const load = () => loadOnline(() => import('@mantine/notifications'));
const Notifications = lazyPart(async () => (await load()).Notifications);

let need = (): void => undefined;

/** Where messages appear. What shows them is not part of the first load. */
export const Notifier = () => {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    need = () => setNeeded(true);
  }, []);
  useTimeout(() => void load(), preloadMs, { autoInvoke: true });
  return (
    isNeeded && (
      <Suspense>
        <Notifications position="bottom-right" />
      </Suspense>
    )
  );
};

export const showMessage = (message: NotificationData): void => {
  need();
  void load().then(({ notifications }) => notifications.show(message));
};

export const hideMessage = (id: string): void =>
  void load().then(({ notifications }) => notifications.hide(id));
