import { Button, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { isHeading } from './headingWords.ts';
import { csvToLines, decodeCsv, parseNames } from './nameList.ts';
import type { OrderDraft } from './orderDraft.ts';

interface NameListFieldProps {
  readonly value: string;
  readonly heading: OrderDraft['heading'];
  /** How many vouchers may be ordered. */
  readonly most: number;
  onChange(changed: Pick<OrderDraft, 'names' | 'heading'>): void;
  onClose(): void;
}

/** More lines than that are only counted. */
const maxShown = 5;
const maxFileBytes = 1_000_000;

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
const firstLineOf = (text: string): string => linesOf(text)[0]?.trim() ?? '';

/** A heading has something below it. */
const findHeading = (text: string): 'none' | 'left-out' =>
  linesOf(text).length > 1 && isHeading(firstLineOf(text)) ? 'left-out' : 'none';

/** A list of names, typed, pasted or from a file: one voucher for each. */
export const NameListField = ({ value, heading, most, onChange, onClose }: NameListFieldProps) => {
  const t = useTranslations();
  const [isTooLarge, setTooLarge] = useState(false);
  const { names, problems, repeated } = parseNames(value, { most, hasHeading: heading === 'left-out' });
  const change = (next: string): void => {
    const isKept = heading === 'kept' && firstLineOf(next) === firstLineOf(value);
    onChange({ names: next, heading: isKept ? 'kept' : findHeading(next) });
  };
  const load = async (file: File | null): Promise<void> => {
    if (!file) return;
    setTooLarge(file.size > maxFileBytes);
    if (file.size <= maxFileBytes) change(csvToLines(decodeCsv(await file.arrayBuffer())));
  };
  const errors = [
    ...(isTooLarge ? [t('desk.fileTooLarge')] : []),
    ...problems.map((problem) =>
      problem.kind === 'too-long'
        ? t('desk.nameTooLong', { line: problem.line })
        : t('desk.tooManyNames', { count: problem.count, most }),
    ),
  ];
  const hints = repeated.map(({ line, first, name }) => t('desk.nameRepeated', { line, first, name }));
  return (
    <Stack gap="xs">
      <Textarea
        label={t('desk.names')}
        description={t('desk.namesHint', { count: names.length, first: (names[0] ?? '').slice(0, 60) })}
        rows={7}
        size="md"
        // Opened to paste into it.
        autoFocus={value === ''}
        autoComplete="off"
        error={errors.length > 0}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div role="status">
        {heading === 'left-out' && (
          <Group gap="xs">
            <Text size="sm">{t('desk.headingLeftOut', { text: firstLineOf(value).slice(0, 60) })}</Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChange({ names: value, heading: 'kept' })}
            >
              {t('desk.headingKeep')}
            </Button>
          </Group>
        )}
      </div>
      <Lines lines={errors} color="var(--mantine-color-error)" role="alert" />
      <Lines lines={hints} color="dimmed" role="status" />
      <Group gap="xs">
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void load(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="sheet" size={18} />}>
              {t('desk.namesFile')}
            </Button>
          )}
        </FileButton>
        <Button variant="subtle" onClick={onClose}>
          {t('desk.noNames')}
        </Button>
      </Group>
    </Stack>
  );
};

interface LinesProps {
  readonly lines: readonly string[];
  readonly color: string;
  readonly role: 'alert' | 'status';
}

const Lines = ({ lines, color, role }: LinesProps) => {
  const t = useTranslations();
  if (lines.length === 0) return null;
  return (
    <div role={role}>
      <List size="sm" c={color} listStyleType="none">
        {lines.slice(0, maxShown).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {lines.length > maxShown && (
        <Text size="sm" c={color}>
          {t('desk.moreLines', { count: lines.length - maxShown })}
        </Text>
      )}
    </div>
  );
};
