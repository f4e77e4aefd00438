import { Button, Group, NativeSelect, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../components/Dialog.tsx';
import type { Schemas } from '../api/schemas.ts';
import { Icon } from '../components/Icon.tsx';
import { usualLayout, useSaveSlips } from './files.ts';
import { useGuestLanguage } from './guestLanguage.tsx';
import { GuestLanguageSelect } from './GuestLanguageSelect.tsx';
import { labelGridOf, layouts, papers, slipPapers, type Layout, type Paper } from './papers.ts';
import classes from './PrintDialog.module.css';
import { UnprintableNames } from './UnprintableNames.tsx';
import type { DeskSite, Voucher } from './voucher.ts';

interface PrintChoice {
  layout: Layout;
  paper: Paper;
  columns: number;
  rows: number;
  hasCutMarks: boolean;
}

const numbersTo = (last: number): string[] => Array.from({ length: last }, (_, index) => String(index + 1));

interface PrintDialogProps {
  readonly selection: Schemas['VoucherSelection'];
  /** Those that are printed. */
  readonly vouchers: readonly Voucher[];
  /** How many of the selection are not valid any more. */
  readonly leftOut: number;
  /** Of all of them, where they have one in common. */
  readonly site?: DeskSite | undefined;
  onClose(): void;
}

/** How vouchers are laid out on paper; what was chosen last is offered again. */
export const PrintDialog = ({ selection, vouchers, leftOut, site, onClose }: PrintDialogProps) => {
  const count = vouchers.length;
  const t = useTranslations();
  const [language] = useGuestLanguage();
  const [last, setLast] = useLocalStorage<PrintChoice>({
    key: 'voucherd.print',
    defaultValue: usualLayout,
    getInitialValueInEffect: false,
  });
  const [firstLabel, setFirstLabel] = useState(1);
  // The paper of the site comes first; what is chosen here holds until the dialog is closed, and where no site says more.
  const [choice, setChosen] = useState<PrintChoice>({
    ...last,
    ...(site?.slipPaper && slipPapers[site.slipPaper]),
  });
  const setChoice = (chosen: PrintChoice): void => {
    setChosen(chosen);
    setLast(chosen);
  };
  const save = useSaveSlips();
  const { layout, paper, columns, rows, hasCutMarks } = choice;
  const change = (changed: Partial<PrintChoice>): void => setChoice({ ...choice, ...changed });
  const [across, down] = layout === 'sheet' ? [columns, rows] : labelGridOf(paper);
  const perPage = across * down;
  const skipped = layout === 'labels' ? Math.min(firstLabel, perPage) - 1 : 0;
  const chooseLayout = (chosen: string): void => {
    const known = layouts.find((name) => name === chosen) ?? 'sheet';
    const possible: readonly Paper[] = papers[known];
    change({ layout: known, paper: possible.includes(paper) ? paper : papers[known][0] });
  };
  const savePdf = (): void =>
    save.mutate(
      { ...selection, layout, paper, columns, rows, hasCutMarks, firstLabel: skipped + 1, language },
      { onSuccess: onClose },
    );
  return (
    <Dialog size="lg" onClose={onClose} title={t('desk.printTitle', { count })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          savePdf();
        }}
      >
        <Stack>
          <SegmentedControl
            aria-label={t('desk.layout')}
            fullWidth
            data={layouts.map((name) => ({ value: name, label: t(`desk.layout-${name}`) }))}
            value={layout}
            onChange={chooseLayout}
          />
          <div className={classes['choices']}>
            <Stack>
              <NativeSelect
                label={t('desk.paper')}
                data={papers[layout].map((name) => ({ value: name, label: t(`desk.paper-${name}`) }))}
                value={paper}
                onChange={(event) =>
                  change({
                    paper: papers[layout].find((name) => name === event.currentTarget.value) ?? paper,
                  })
                }
              />
              {layout === 'sheet' && (
                <>
                  <Group grow>
                    <NativeSelect
                      label={t('desk.columns')}
                      data={numbersTo(3)}
                      value={String(columns)}
                      onChange={(event) => change({ columns: Number(event.currentTarget.value) })}
                    />
                    <NativeSelect
                      label={t('desk.rows')}
                      data={numbersTo(10)}
                      value={String(rows)}
                      onChange={(event) => change({ rows: Number(event.currentTarget.value) })}
                    />
                  </Group>
                  <Switch
                    label={t('desk.cutMarks')}
                    checked={hasCutMarks}
                    onChange={(event) => change({ hasCutMarks: event.currentTarget.checked })}
                  />
                  <Text size="sm" c="dimmed">
                    {t('desk.smallSlips')}
                  </Text>
                </>
              )}
              {layout === 'labels' && (
                <NativeSelect
                  label={t('desk.firstLabel')}
                  description={t('desk.firstLabelText')}
                  data={numbersTo(perPage)}
                  value={String(skipped + 1)}
                  onChange={(event) => setFirstLabel(Number(event.currentTarget.value))}
                />
              )}
              <GuestLanguageSelect />
            </Stack>
            <Preview choice={choice} skipped={skipped} />
          </div>
          <UnprintableNames vouchers={vouchers} />
          <Text size="sm">{t('desk.openPdf')}</Text>
          {leftOut > 0 && <Text size="sm">{t('desk.leftOut', { count: leftOut })}</Text>}
          <Group justify="space-between" className={classes['actions'] ?? ''}>
            <span className="numbers">
              {t('desk.pages', { count: Math.ceil((count + skipped) / perPage) })}
            </span>
            <Group>
              {/* A phone has the cross, and no room for both. */}
              <Button variant="default" visibleFrom="xs" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button
                type="submit"
                loading={save.isPending}
                leftSection={<Icon name="download" size={18} />}
                data-autofocus
              >
                {t('desk.savePdf')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};

/** The first page, small. */
interface PreviewProps {
  readonly choice: PrintChoice;
  /** Labels that are used already. */
  readonly skipped: number;
}

const Preview = ({ choice: { layout, paper, columns, rows }, skipped }: PreviewProps) => {
  const [across, down] = layout === 'sheet' ? [columns, rows] : labelGridOf(paper);
  return (
    <div className={classes['preview']} data-paper={paper} data-layout={layout} aria-hidden="true">
      <div
        className={classes['grid']}
        style={{ gridTemplate: `repeat(${String(down)}, 1fr) / repeat(${String(across)}, 1fr)` }}
      >
        {Array.from({ length: across * down }, (_, index) => (
          <div key={index} className={classes['slip']} data-used={index < skipped || undefined} />
        ))}
      </div>
    </div>
  );
};
