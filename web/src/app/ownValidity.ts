import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;

/** Fields whose message is ours: the browser takes them for wrong until it is removed. */
const marked = new Set<Field>();

const unmark = (field: Field): void => {
  if (marked.delete(field)) field.setCustomValidity('');
};

/** What browsers say of a field that is empty or wrong, in the language of the page instead of the browser's. */
export const useOwnValidity = (): void => {
  const t = useTranslations();
  const onInvalid = useEffectEvent(({ target }: Event): void => {
    if (!isField(target)) return;
    unmark(target);
    const { validity, type } = target;
    const text = validity.valueMissing
      ? t('errors.field-required')
      : validity.typeMismatch && type === 'email'
        ? t('errors.email-invalid')
        : validity.typeMismatch && type === 'url'
          ? t('errors.url-invalid')
          : t('errors.field-invalid');
    if (validity.valid || validity.customError) return;
    target.setCustomValidity(text);
    marked.add(target);
  });
  useEffect(() => {
    const onInput = ({ target }: Event): void => {
      if (isField(target)) unmark(target);
    };
    // Sending starts with a click, also by the Enter key. A value may have been set without an event meanwhile.
    const onClick = (): void => {
      for (const field of marked) unmark(field);
    };
    document.addEventListener('invalid', onInvalid, true);
    document.addEventListener('input', onInput, true);
    document.addEventListener('change', onInput, true);
    document.addEventListener('click', onClick, true);
    return () => {
      document.removeEventListener('invalid', onInvalid, true);
      document.removeEventListener('input', onInput, true);
      document.removeEventListener('change', onInput, true);
      document.removeEventListener('click', onClick, true);
    };
  }, []);
};
