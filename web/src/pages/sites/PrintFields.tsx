import { NativeSelect, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { slipPapers, type SlipPaper } from '../../vouchers/papers.ts';
import type { SiteForm } from './siteForm.ts';

const paperNames = Object.keys(slipPapers) as SlipPaper[];

interface PrintFieldsProps {
  readonly form: SiteForm;
  /** Those that print for the site. */
  readonly printers: readonly Pick<Schemas['Printer'], 'id' | 'name'>[];
}

/** On which paper slips are printed, and whether they are printed at once. */
export const PrintFields = ({ form, printers }: PrintFieldsProps) => {
  const t = useTranslations();
  return (
    <Stack>
      <NativeSelect
        label={t('sites.slipPaper')}
        description={t('sites.slipPaperText')}
        data={[
          { value: '', label: t('sites.anyPaper') },
          ...paperNames.map((name) => ({ value: name, label: t(`sites.paper-${name}`) })),
        ]}
        {...form.getInputProps('slipPaper')}
      />
      <NativeSelect
        label={t('sites.printAtOnce')}
        description={t('sites.printAtOnceText')}
        data={[
          { value: 'off', label: t('sites.printAtOnce-off') },
          { value: 'browser', label: t('sites.printAtOnce-browser') },
          ...printers.map(({ id, name }) => ({
            value: String(id),
            label: t('sites.printAtOnce-printer', { name }),
          })),
        ]}
        {...form.getInputProps('printAtOnce')}
      />
    </Stack>
  );
};
