import { Button, FileButton, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { backgroundFit } from '../../lib/fitPicture.ts';
import { pictureTypes, useFittedPicture } from '../../lib/useFittedPicture.ts';
import type { KioskFormValues } from './kioskForm.ts';

type Values = Pick<KioskFormValues, 'background' | 'colour' | 'picture'>;

interface BackgroundFieldProps {
  readonly values: Values;
  /** Is a picture stored? */
  readonly hasBackground: boolean;
  /** Why the form was not sent. */
  readonly error: ReactNode;
  onChange(values: Partial<Values>): void;
}

/** What is behind the words of a kiosk: nothing, a colour, or a picture. */
export const BackgroundField = ({ values, hasBackground, error, onChange }: BackgroundFieldProps) => {
  const t = useTranslations();
  const resetInput = useRef<() => void>(null);
  const { background, colour, picture } = values;
  const field = useRef<HTMLDivElement>(null);
  const chosen = useFittedPicture(field, backgroundFit, (fitted) => onChange({ picture: fitted }));
  return (
    <Stack ref={field} gap="xs">
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
            accept={pictureTypes.join(',')}
            onChange={(file) => {
              resetInput.current?.();
              if (file) void chosen.choose(file);
            }}
          >
            {(props) => (
              <Button variant="default" loading={chosen.isFitting} {...props}>
                {picture !== '' || hasBackground ? t('kiosks.replacePicture') : t('kiosks.choosePicture')}
              </Button>
            )}
          </FileButton>
          {picture !== '' && <img src={picture} alt={t('kiosks.pictureChosen')} height={48} />}
        </Group>
      )}
      {(chosen.problem !== undefined || Boolean(error)) && (
        <Input.Error role="alert">
          {chosen.problem === undefined ? error : t(`errors.${chosen.problem}`)}
        </Input.Error>
      )}
    </Stack>
  );
};
