import { Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DataTable, type Column } from '../../components/DataTable.tsx';
import { useFormat } from '../../i18n/format.ts';

interface CountRow {
  readonly key: string;
  readonly name: string;
  readonly created: number;
  readonly used: number;
}

/** Vouchers by what they have in common. */
export const CountTable = ({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly CountRow[];
}) => {
  const t = useTranslations();
  const format = useFormat();
  const columns: Column<CountRow>[] = [
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
      id: 'created',
      label: t('reports.created'),
      isNumber: true,
      render: ({ created }) => format.number(created),
    },
    { id: 'used', label: t('reports.used'), isNumber: true, render: ({ used }) => format.number(used) },
  ];
  return (
    <section>
      <Title order={2} fz="lg" mb="sm">
        {title}
      </Title>
      <DataTable isCompact caption={title} columns={columns} rows={rows} idOf={({ key }) => key} />
    </section>
  );
};
