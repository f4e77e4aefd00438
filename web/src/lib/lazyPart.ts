import { createElement, lazy, Suspense, type ComponentType, type FunctionComponent } from 'react';

const isOnline = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('online', resolve, { once: true }));

/** Waits for the network where it is lost: what is on the page stays, and the part follows. */
export const loadOnline = async <T>(load: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) throw error;
      await isOnline();
    }
  }
};

/** A part of a page that is loaded when it is first shown. It needs a Suspense around it. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadOnline(load) }));

/** Like `lazyPart`, for what appears over the page: until it is there, the page is as it was. */
export const lazyDialog = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> => {
  const Dialog = lazyPart(load);
  return (props) => createElement(Suspense, null, createElement(Dialog, props));
};
