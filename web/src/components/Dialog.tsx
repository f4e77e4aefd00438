import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useEscape } from '../lib/escape.ts';
import { useOverlayFocus } from '../lib/focus.ts';
import { LazyDiscardDialog } from './LazyDiscardDialog.ts';
import { LeaveGuard } from './LeaveGuard.tsx';

/**
 * What does not close a dialog, each with those before it: a click beside it, a key, its own button. `click` is for
 * forms: once something was typed, a key does not close them either.
 */
export type DialogGuard = 'none' | 'click' | 'key' | 'button';
const guards: readonly DialogGuard[] = ['none', 'click', 'key', 'button'];

interface DialogProps {
  readonly title: string;
  readonly size?: string;
  readonly guard?: DialogGuard;
  /** Whether closing it asks first: its cross, Back, and what its content calls to close it. */
  readonly asksToDiscard?: boolean | 'typed';
  /** Fills screens that are narrower. */
  readonly fullScreenBelow?: '48em' | '62em';
  /** The content, or what renders it: it is given what closes the dialog as its cross does. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  onClose(): void;
}

/** What lies over a page until it is closed. */
export const Dialog = (props: DialogProps) => {
  const {
    title,
    size = 'md',
    guard = 'none',
    asksToDiscard = false,
    fullScreenBelow,
    children,
    onClose,
  } = props;
  const t = useTranslations();
  const isNarrow = useMediaQuery(`(max-width: ${fullScreenBelow ?? '0em'})`);
  useOverlayFocus();
  const [isTyped, setTyped] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isDirty = asksToDiscard === 'typed' ? isTyped : asksToDiscard;
  const close = isDirty ? () => setAsking(true) : onClose;
  const guarded = guard === 'click' && (isTyped || isDirty) ? 'key' : guard;
  const closesBy = (what: DialogGuard): boolean => guards.indexOf(guarded) < guards.indexOf(what);
  useEscape(() => {
    if (closesBy('key')) close();
  });
  return (
    <Modal
      opened
      size={size}
      fullScreen={isNarrow}
      title={title}
      closeOnClickOutside={closesBy('click')}
      closeOnEscape={false}
      withCloseButton={closesBy('button')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onInput={() => setTyped(true)}
      onClose={close}
    >
      {typeof children === 'function' ? children(close) : children}
      {asksToDiscard !== false && <LeaveGuard isDirty={isDirty} isDialog />}
      {isAsking && <LazyDiscardDialog onDiscard={onClose} onKeep={() => setAsking(false)} />}
    </Modal>
  );
};

/** Guards what is shown once: a click or a key must not lose it, and nothing ends what is being made. */
export const guardOnce = ({
  isPending,
  data,
}: {
  readonly isPending: boolean;
  readonly data: unknown;
}): DialogGuard => (isPending ? 'button' : data === undefined ? 'none' : 'key');
