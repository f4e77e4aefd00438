import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { fitPicture, logoFit, maxFileBytes } from '../lib/fitPicture.ts';
import { Icon } from './Icon.tsx';

/** WebP is made a PNG. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

interface PictureFieldProps {
  readonly label: string;
  readonly description: string;
  readonly choose: string;
  readonly replace: string;
  readonly remove: string;
  readonly hasPicture: boolean;
  /** Shown before the buttons. */
  readonly children?: ReactNode;
  /** Called with an address that holds the picture, or null to have none. */
  onChange(picture: string | null): void;
}

/** Chooses a picture. A large one is made smaller, and what can not be used is refused, before anything is sent. */
export const PictureField = (props: PictureFieldProps) => {
  const { label, description, hasPicture, children, onChange } = props;
  const t = useTranslations();
  const [error, setError] = useState<string>();
  const resetInput = useRef<() => void>(null);
  const problemOf = ({ type, size }: File): string | undefined => {
    if (!pictureTypes.includes(type)) return t('errors.image-invalid');
    return size > maxFileBytes ? t('errors.image-file-too-large') : undefined;
  };
  const choose = async (file: File | null): Promise<void> => {
    // A browser tells nothing of a file that is chosen a second time, and it may have been mended meanwhile.
    resetInput.current?.();
    if (!file) return;
    const problem = problemOf(file);
    const fitted = problem === undefined ? await fitPicture(file, logoFit) : undefined;
    setError(problem ?? (fitted === undefined ? t('errors.image-invalid') : undefined));
    if (fitted !== undefined) onChange(fitted);
  };
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Input.Label labelElement="div">{label}</Input.Label>
      <Input.Description>{description}</Input.Description>
      <Group gap="xs">
        {children}
        <FileButton
          resetRef={resetInput}
          accept={pictureTypes.join(',')}
          onChange={(file) => void choose(file)}
        >
          {(button) => (
            <Button variant="default" {...button}>
              {hasPicture ? props.replace : props.choose}
            </Button>
          )}
        </FileButton>
        {hasPicture && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={18} />}
            onClick={() => {
              setError(undefined);
              onChange(null);
            }}
          >
            {props.remove}
          </Button>
        )}
      </Group>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
};
