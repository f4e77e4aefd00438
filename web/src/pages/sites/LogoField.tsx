import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { readDataUrl } from '../../lib/dataUrl.ts';
import { logoTypes, maxLogoBytes } from './logo.ts';

interface LogoFieldProps {
  readonly hasLogo: boolean;
  /** Called with an address that holds the picture, or null to have none. */
  onChange(logo: string | null): void;
}

/** Chooses a picture. What can not be used is refused here, before anything is sent. */
export const LogoField = ({ hasLogo, onChange }: LogoFieldProps) => {
  const t = useTranslations();
  const [error, setError] = useState<string>();
  const resetInput = useRef<() => void>(null);
  const problemOf = ({ type, size }: File): string | undefined => {
    if (!logoTypes.split(',').includes(type)) return t('errors.image-invalid');
    return size > maxLogoBytes ? t('errors.image-too-large') : undefined;
  };
  const choose = async (file: File | null): Promise<void> => {
    // A browser tells nothing of a file that is chosen a second time, and it may have been mended meanwhile.
    resetInput.current?.();
    if (!file) return;
    const problem = problemOf(file);
    setError(problem);
    if (problem === undefined) onChange(await readDataUrl(file));
  };
  return (
    <Stack gap={4} role="group" aria-label={t('sites.logo')}>
      <Input.Label labelElement="div">{t('sites.logo')}</Input.Label>
      <Input.Description>{t('sites.logoText')}</Input.Description>
      <Group gap="xs">
        <FileButton resetRef={resetInput} accept={logoTypes} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {hasLogo ? t('sites.replaceLogo') : t('sites.chooseLogo')}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={18} />}
            onClick={() => {
              setError(undefined);
              onChange(null);
            }}
          >
            {t('sites.removeLogo')}
          </Button>
        )}
      </Group>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
};
