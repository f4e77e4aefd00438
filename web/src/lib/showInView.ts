/** As the `ref` of something that appears: where it would be out of sight, the page moves so far that it is seen. */
export const showInView = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: 'nearest' });
};
