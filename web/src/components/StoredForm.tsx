import { useEffect, useRef, useState, type ReactNode } from 'react';
import { focusIfLost } from '../lib/focus.ts';
import { ChangedByOther } from './ChangedByOther.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';

/** Whether a form holds what is stored, something else, or is just saving that. */
export type FormState = 'clean' | 'dirty' | 'saving';

interface StoredFormProps<Stored> {
  readonly stored: Stored;
  /** Renders the form, which begins anew with other values. It tells by `useFormState` what it holds. */
  readonly children: (stored: Stored, onState: (state: FormState) => void) => ReactNode;
}

/**
 * A page's form of something that others can change at the same time. It follows them until something is typed; then the
 * person is told, and chooses. It is not left with unsaved changes without a question.
 */
export const StoredForm = <Stored,>({ stored, children }: StoredFormProps<Stored>) => {
  const [shown, setShown] = useState(stored);
  const [state, setState] = useState<FormState>('clean');
  // What the person has decided to replace.
  const [ignored, setIgnored] = useState<string>();
  const current = JSON.stringify(stored);
  const isOutdated = JSON.stringify(shown) !== current;
  if (isOutdated && state === 'clean') setShown(stored);
  const form = useRef<HTMLDivElement>(null);
  // A form that begins anew takes the focus with it, also that of the button that has just saved.
  useEffect(() => focusIfLost(form.current?.querySelector('[type=submit]')), [shown]);
  const follow = (): void => {
    setState('clean');
    setShown(stored);
  };
  return (
    <>
      <LeaveGuard isDirty={state !== 'clean'} />
      {isOutdated && state === 'dirty' && ignored !== current && (
        <ChangedByOther onTake={follow} onKeep={() => setIgnored(current)} />
      )}
      <div ref={form} key={JSON.stringify(shown)} style={{ display: 'contents' }}>
        {children(shown, setState)}
      </div>
    </>
  );
};

/** Tells the `StoredForm` around a form what it holds. */
export const useFormState = (
  onState: (state: FormState) => void,
  { isDirty, isSaving }: { readonly isDirty: boolean; readonly isSaving: boolean },
): void => {
  const state = isSaving ? 'saving' : isDirty ? 'dirty' : 'clean';
  useEffect(() => onState(state), [onState, state]);
};
