import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
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
  /** Once something was typed, its own button and Back ask first. */
  readonly asksToDiscard?: boolean;
  /** Fills screens that are narrower. */
  readonly fullScreenBelow?: '48em' | '62em';
  readonly children: ReactNode;
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
  const isDirty = asksToDiscard && isTyped;
  const guarded = guard === 'click' && isTyped ? 'key' : guard;
  const closesBy = (what: DialogGuard): boolean => guards.indexOf(guarded) < guards.indexOf(what);
  return (
    <Modal
      opened
      size={size}
      fullScreen={isNarrow}
      title={title}
      closeOnClickOutside={closesBy('click')}
      closeOnEscape={closesBy('key')}
      withCloseButton={closesBy('button')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onInput={() => setTyped(true)}
      onClose={isDirty ? () => setAsking(true) : onClose}
    >
      {children}
      {asksToDiscard && <LeaveGuard isDirty={isDirty} isDialog />}
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
