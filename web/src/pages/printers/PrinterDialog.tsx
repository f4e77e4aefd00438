import { Group, NumberInput, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { useSave } from '../../components/useSave.ts';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { forgetError } from '../../api/queryClient.ts';
import {
  fromSiteReach,
  SiteReach,
  toSiteReach,
  useCheckSites,
  type SiteReachValues,
} from '../profiles/SiteReach.tsx';

type Printer = Schemas['Printer'];

interface PrinterValues extends SiteReachValues {
  name: string;
  host: string;
  port: number | string;
  paper: Printer['paper'];
}

const valuesOf = (printer: Printer | undefined): PrinterValues => ({
  name: printer?.name ?? '',
  host: printer?.host ?? '',
  port: printer?.port ?? 9100,
  paper: printer?.paper ?? '80mm',
  ...toSiteReach(printer?.siteIds),
});

const bodyOf = ({ reach, siteIds, port, ...values }: PrinterValues): Schemas['NewPrinter'] => ({
  ...values,
  port: Number(port),
  siteIds: fromSiteReach({ reach, siteIds }),
});

interface PrinterDialogProps {
  /** Without one, a printer is added. */
  readonly printer?: Printer | undefined;
  readonly sites: readonly Schemas['Site'][];
  onClose(): void;
}

/** Adds or changes a receipt printer. */
export const PrinterDialog = ({ printer, sites, onClose }: PrinterDialogProps) => {
  const t = useTranslations();
  const checkSites = useCheckSites();
  const form = useForm({
    initialValues: valuesOf(printer),
    onValuesChange: () => forgetError(save),
    validate: {
      port: (port) => (typeof port === 'number' ? null : t('errors.port-invalid')),
      siteIds: checkSites,
    },
  });
  const save = useSave({
    save: (values: PrinterValues) => {
      const body = bodyOf(values);
      return printer
        ? client.PUT('/printers/{printerId}', { params: { path: { printerId: printer.id } }, body })
        : client.POST('/printers', { body });
    },
    done: ({ name }) => t('common.saved', { name: name.trim() }),
    outdated: ['/printers', '/desk'],
    onClose,
  });
  return (
    <SaveDialog
      title={printer ? t('common.changeTitle', { name: printer.name }) : t('printers.add')}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={t('common.name')}
        description={t('printers.nameText')}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('printers.host')}
          description={t('printers.hostText')}
          required
          maxLength={253}
          autoComplete="off"
          {...form.getInputProps('host')}
        />
        <NumberInput
          w={110}
          label={t('printers.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          thousandSeparator={false}
          hideControls
          required
          {...form.getInputProps('port')}
        />
      </Group>
      <Radio.Group
        label={t('printers.paper')}
        description={t('printers.paperText')}
        {...form.getInputProps('paper')}
      >
        <Group mt="xs">
          <Radio value="80mm" label={t('desk.paper-80mm')} />
          <Radio value="58mm" label={t('desk.paper-58mm')} />
        </Group>
      </Radio.Group>
      <SiteReach label={t('printers.sites')} sites={sites} form={form} />
    </SaveDialog>
  );
};
