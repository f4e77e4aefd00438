import { Button, FileButton, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { backgroundFit, fitPicture } from '../../lib/fitPicture.ts';
import type { KioskFormValues } from './kioskForm.ts';

type Values = Pick<KioskFormValues, 'background' | 'colour' | 'picture'>;

interface BackgroundFieldProps {
  readonly values: Values;
  /** Is a picture stored? */
  readonly hasBackground: boolean;
  onChange(values: Partial<Values>): void;
}

/** What is behind the words of a kiosk: nothing, a colour, or a picture. */
export const BackgroundField = ({ values, hasBackground, onChange }: BackgroundFieldProps) => {
  const t = useTranslations();
  const [error, setError] = useState<string>();
  const resetInput = useRef<() => void>(null);
  const { background, colour, picture } = values;
  const choose = async (file: File | null): Promise<void> => {
    resetInput.current?.();
    if (!file) return;
    const fitted = await fitPicture(file, backgroundFit);
    setError(fitted === undefined ? t('errors.image-invalid') : undefined);
    if (fitted !== undefined) onChange({ picture: fitted });
  };
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('kiosks.background')}
        description={t('kiosks.backgroundText')}
        data={[
          { value: 'none', label: t('kiosks.backgroundNone') },
          { value: 'colour', label: t('kiosks.backgroundColour') },
          { value: 'picture', label: t('kiosks.backgroundPicture') },
        ]}
        value={background}
        onChange={(event) => onChange({ background: event.currentTarget.value as Values['background'] })}
      />
      {background === 'colour' && (
        <TextInput
          label={t('kiosks.colour')}
          type="color"
          maw={120}
          value={colour}
          onChange={(event) => onChange({ colour: event.currentTarget.value })}
        />
      )}
      {background === 'picture' && (
        <Group gap="sm">
          <FileButton
            resetRef={resetInput}
            accept="image/png,image/jpeg"
            onChange={(file) => void choose(file)}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {picture !== '' || hasBackground ? t('kiosks.replacePicture') : t('kiosks.choosePicture')}
              </Button>
            )}
          </FileButton>
          {picture !== '' && <img src={picture} alt={t('kiosks.pictureChosen')} height={48} />}
        </Group>
      )}
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
};
