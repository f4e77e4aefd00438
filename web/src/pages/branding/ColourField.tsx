import { TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './Branding.module.css';

export const isColour = (text: string): boolean => /^#[0-9a-fA-F]{6}$/.test(text);

const ownColour = '#0b6e6e';

interface ColourFieldProps {
  /** Empty for the pages' own. */
  readonly value: string;
  onChange(colour: string): void;
}

/** A colour, typed or picked. */
export const ColourField = ({ value, onChange }: ColourFieldProps) => {
  const t = useTranslations();
  return (
    <TextInput
      label={t('branding.colour')}
      description={t('branding.colourText')}
      placeholder={ownColour}
      maxLength={7}
      autoComplete="off"
      spellCheck={false}
      value={value}
      error={value === '' || isColour(value) ? undefined : t('errors.colour-invalid')}
      leftSection={
        <input
          type="color"
          className={classes['picker']}
          aria-label={t('branding.pickColour')}
          value={isColour(value) ? value.toLowerCase() : ownColour}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      leftSectionPointerEvents="all"
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
};
