import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { fitPicture, maxFileBytes, type PictureFit } from './fitPicture.ts';

interface FittedPicture {
  readonly isFitting: boolean;
  /** Why the last file can not be used: the code of an error. */
  readonly problem: 'image-invalid' | 'image-file-too-large' | undefined;
  forgetProblem(): void;
  choose(file: File): Promise<void>;
}

/**
 * Makes pictures that are chosen in a field of a form fit. The form is not sent while that is going on, but right
 * afterwards: it would be saved without the picture.
 */
export const useFittedPicture = (
  field: RefObject<HTMLElement | null>,
  fit: PictureFit,
  onChange: (picture: string) => void,
): FittedPicture => {
  const [isFitting, setFitting] = useState(false);
  const [problem, setProblem] = useState<FittedPicture['problem']>();
  const isSubmitHeld = useRef(false);
  useLayoutEffect(() => {
    const form = field.current?.closest('form');
    if (!isFitting || !form) return undefined;
    const hold = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      isSubmitHeld.current = true;
    };
    form.addEventListener('submit', hold, { capture: true });
    return () => form.removeEventListener('submit', hold, { capture: true });
  }, [field, isFitting]);
  useEffect(() => {
    if (isFitting || !isSubmitHeld.current) return;
    isSubmitHeld.current = false;
    if (problem === undefined) field.current?.closest('form')?.requestSubmit();
  }, [field, isFitting, problem]);
  return {
    isFitting,
    problem,
    forgetProblem: () => setProblem(undefined),
    choose: async (file) => {
      const isKnown = pictureTypes.includes(file.type);
      const isTooLarge = isKnown && file.size > maxFileBytes;
      setFitting(true);
      const fitted = isKnown && !isTooLarge ? await fitPicture(file, fit) : undefined;
      setFitting(false);
      setProblem(isTooLarge ? 'image-file-too-large' : fitted === undefined ? 'image-invalid' : undefined);
      if (fitted !== undefined) onChange(fitted);
    },
  };
};

/** WebP is made another type. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];
