import { useBlocker } from '@tanstack/react-router';
import { LazyDiscardDialog } from './LazyDiscardDialog.ts';

interface LeaveGuardProps {
  /** Whether something is typed that is not saved. */
  readonly isDirty: boolean;
  /** Back closes a dialog without another page: it asks then, too. */
  readonly isDialog?: boolean;
}

/** Asks before a form with unsaved changes is left: by a link, by Back, or by closing the tab. */
export const LeaveGuard = ({ isDirty, isDialog = false }: LeaveGuardProps) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDialog || current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  return status === 'blocked' ? <LazyDiscardDialog onDiscard={proceed} onKeep={reset} /> : null;
};
