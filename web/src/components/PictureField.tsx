import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { logoFit } from '../lib/fitPicture.ts';
import { pictureTypes, useFittedPicture } from '../lib/useFittedPicture.ts';
import { Icon } from './Icon.tsx';

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
  const resetInput = useRef<() => void>(null);
  const field = useRef<HTMLDivElement>(null);
  const picture = useFittedPicture(field, logoFit, onChange);
  return (
    <Stack ref={field} gap={4} role="group" aria-label={label}>
      <Input.Label labelElement="div">{label}</Input.Label>
      <Input.Description>{description}</Input.Description>
      <Group gap="xs">
        {children}
        <FileButton
          resetRef={resetInput}
          accept={pictureTypes.join(',')}
          onChange={(file) => {
            // A browser tells nothing of a file that is chosen a second time, and it may have been mended meanwhile.
            resetInput.current?.();
            if (file) void picture.choose(file);
          }}
        >
          {(button) => (
            <Button variant="default" loading={picture.isFitting} {...button}>
              {hasPicture ? props.replace : props.choose}
            </Button>
          )}
        </FileButton>
        {hasPicture && (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={18} />}
            onClick={() => {
              picture.forgetProblem();
              onChange(null);
            }}
          >
            {props.remove}
          </Button>
        )}
      </Group>
      {picture.problem !== undefined && (
        <Input.Error role="alert">{t(`errors.${picture.problem}`)}</Input.Error>
      )}
    </Stack>
  );
};
