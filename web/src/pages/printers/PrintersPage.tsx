import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { ItemMenu, ManagedList, type OpenItem } from '../../components/ManagedList.tsx';
import { useFormat } from '../../i18n/format.ts';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useNotify } from '../../notify/notify.tsx';

const PrinterDialog = lazyDialog(async () => (await import('./PrinterDialog.tsx')).PrinterDialog);

type Printer = Schemas['Printer'];

/** The receipt printers on the network. */
export const PrintersPage = () => {
  const t = useTranslations();
  const printers = api.useQuery('get', '/printers');
  const sites = api.useQuery('get', '/sites').data?.sites ?? [];
  return (
    <ManagedList
      icon="printers"
      texts={{
        title: t('printers.title'),
        text: t('printers.text'),
        add: t('printers.add'),
        emptyTitle: t('printers.emptyTitle'),
        emptyText: t('printers.emptyText'),
      }}
      query={printers}
      itemsOf={(data) => data.printers}
      list={(items, open) => <PrinterTable printers={items} sites={sites} open={open} />}
      addDialog={(onClose) => <PrinterDialog sites={sites} onClose={onClose} />}
      itemDialogs={{
        change: (printer, onClose) => <PrinterDialog printer={printer} sites={sites} onClose={onClose} />,
        remove: (printer, onClose) => <RemovePrinter printer={printer} onClose={onClose} />,
      }}
    />
  );
};

interface PrinterTableProps {
  readonly printers: readonly Printer[];
  readonly sites: readonly Schemas['Site'][];
  readonly open: OpenItem<Printer, 'change' | 'remove'>;
}

const PrinterTable = ({ printers, sites, open }: PrinterTableProps) => {
  const t = useTranslations();
  const format = useFormat();
  const notify = useNotify();
  const test = api.useMutation('post', '/printers/{printerId}/test', { onError: notify.failed });
  const sitesOf = ({ siteIds }: Printer): string =>
    siteIds === null
      ? t('profiles.all')
      : format.list(siteIds.flatMap((siteId) => sites.find(({ id }) => id === siteId)?.name ?? []));
  const columns: Column<Printer>[] = [
    {
      id: 'name',
      label: t('common.name'),
      render: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    {
      id: 'address',
      label: t('printers.address'),
      render: ({ host, port }) => (
        <span className="code">
          {host}:{port}
        </span>
      ),
    },
    { id: 'paper', label: t('printers.paper'), render: ({ paper }) => t(`desk.paper-${paper}`) },
    { id: 'sites', label: t('printers.sites'), render: sitesOf },
    {
      id: 'actions',
      label: t('common.actions'),
      isAction: true,
      render: (printer) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-sm"
            loading={test.isPending && test.variables.params.path.printerId === printer.id}
            aria-label={t('printers.testOf', { name: printer.name })}
            onClick={() =>
              test.mutate(
                { params: { path: { printerId: printer.id } } },
                {
                  onSuccess: ({ outcome }) =>
                    outcome === 'confirmed'
                      ? notify.done(t('printers.tested', { name: printer.name }))
                      : notify.unsure(t('printers.testSent', { name: printer.name })),
                },
              )
            }
          >
            {t('printers.test')}
          </Button>
          <ItemMenu item={printer} open={open} />
        </Group>
      ),
    },
  ];
  return <DataTable caption={t('printers.title')} columns={columns} rows={printers} idOf={({ id }) => id} />;
};

const RemovePrinter = ({ printer, onClose }: { readonly printer: Printer; readonly onClose: () => void }) => {
  const t = useTranslations();
  const { id, name } = printer;
  const remove = useRemove({
    remove: () => client.DELETE('/printers/{printerId}', { params: { path: { printerId: id } } }),
    done: t('common.removed', { name }),
    outdated: ['/printers', '/desk'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={t('common.removeTitle', { name })}
      text={t('printers.removeText')}
      action={t('common.remove')}
      {...remove}
      onClose={onClose}
    />
  );
};
