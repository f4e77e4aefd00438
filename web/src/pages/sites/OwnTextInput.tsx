import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { directionOf, type GuestLanguage } from '../../../../src/i18n/guestLanguages.ts';
import type { Schemas } from '../../api/schemas.ts';
import type { textGroups, OwnTextGroup } from './ownTexts.ts';

interface OwnTextInputProps {
  readonly language: GuestLanguage;
  readonly field: (typeof textGroups)[OwnTextGroup][number];
  readonly value: string;
  /** What stands there without an own text. */
  readonly standard: string;
  /** What can't be filled in. */
  readonly problem: Schemas['TextPreview']['problems'][number] | undefined;
  onChange(text: string): void;
}

/** One own text: the standard text can be taken as a beginning, and comes back when it is cleared. */
export const OwnTextInput = ({ language, field, value, standard, problem, onChange }: OwnTextInputProps) => {
  const t = useTranslations();
  const label = t(`sites.own-${field.name}`);
  const props = {
    label,
    value,
    maxLength: field.maxLength,
    description: [
      ...(field.replaces === undefined ? [] : [t(`sites.replaces-${field.replaces}`)]),
      t('sites.placeholders', { list: field.placeholders.map((name) => `{${name}}`).join(' ') }),
    ].join(' '),
    placeholder: standard || t('sites.textNone'),
    // Of the typed text, not of the label above it.
    styles: { input: { direction: directionOf(language) } },
    error:
      problem &&
      t('sites.placeholderUnknown', {
        ...problem,
        line: String(problem.line),
        column: String(problem.column),
      }),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  return (
    <Stack gap={4} align="stretch">
      {field.rows === 1 ? <TextInput {...props} /> : <Textarea {...props} rows={field.rows} />}
      {value === '' ? (
        standard !== '' && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('sites.textEditFor', { name: label })}
            onClick={() => onChange(standard)}
          >
            {t('sites.textEdit')}
          </Button>
        )
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('sites.textResetFor', { name: label })}
          onClick={() => onChange('')}
        >
          {t('sites.textReset')}
        </Button>
      )}
    </Stack>
  );
};
