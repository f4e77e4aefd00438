import type { ComponentPropsWithRef, MouseEvent } from 'react';

interface ButtonRootProps extends ComponentPropsWithRef<'button'> {
  readonly 'data-loading'?: boolean;
}

/**
 * The element of Mantine's buttons. While one is loading, it does nothing but keeps the focus: Mantine disables it, and a
 * button that is disabled loses the focus.
 */
export const ButtonRoot = (props: ButtonRootProps) => {
  const { 'data-loading': isLoading = false, type = 'button', disabled, onClick, ...others } = props;
  return (
    <button
      {...others}
      type={type}
      data-loading={isLoading || undefined}
      aria-disabled={isLoading || undefined}
      disabled={disabled === true && !isLoading}
      onClick={isLoading ? ignore : onClick}
    />
  );
};

/** Enter in a form clicks its button, too. */
const ignore = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};
