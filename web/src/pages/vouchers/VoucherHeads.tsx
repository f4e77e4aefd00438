import { NativeSelect, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { voucherSorts, type VoucherSort } from './voucherSearch.ts';
import classes from './VoucherHeads.module.css';

interface VoucherHeadsProps {
  readonly sort: VoucherSort;
  onSort(sort: VoucherSort): void;
}

/** What a head sorts by: first this way, and the other way when it is pressed again. */
const sortsOf = {
  name: ['name', '-name'],
  time: ['newest', 'oldest'],
} as const satisfies Record<string, readonly [VoucherSort, VoucherSort]>;

const columns = ['code', 'name', 'state', 'more', 'by', 'time'] as const;

/** The heads of the columns; those that an index is sorted by are buttons. A phone has a field instead. */
export const VoucherHeads = ({ sort, onSort }: VoucherHeadsProps) => {
  const t = useTranslations();
  return (
    <>
      <div className={classes['heads']}>
        {columns.map((column) => (
          <span key={column} className={`voucher-row-${column}`} data-head>
            {column === 'name' || column === 'time' ? (
              <SortButton column={column} sort={sort} onSort={onSort} />
            ) : (
              t(`vouchers.head-${column}`)
            )}
          </span>
        ))}
      </div>
      <NativeSelect
        className={classes['field'] ?? ''}
        label={t('vouchers.sort')}
        data={voucherSorts.map((value) => ({ value, label: t(`vouchers.sort-${value}`) }))}
        value={sort}
        onChange={({ currentTarget: { value } }) => {
          const chosen = voucherSorts.find((one) => one === value);
          if (chosen) onSort(chosen);
        }}
      />
    </>
  );
};

const SortButton = ({ column, sort, onSort }: VoucherHeadsProps & { readonly column: 'name' | 'time' }) => {
  const t = useTranslations();
  const [first, second] = sortsOf[column];
  const isSorted = sort === first || sort === second;
  const isUp = sort === 'name' || sort === 'oldest';
  return (
    <UnstyledButton
      className={classes['sort'] ?? ''}
      aria-pressed={isSorted}
      title={t('vouchers.sortBy', {
        order: t(`vouchers.sort-${sort === first ? second : first}`),
      })}
      onClick={() => onSort(sort === first ? second : first)}
    >
      {t(`vouchers.head-${column}`)}
      {isSorted && <Icon name={isUp ? 'arrowUp' : 'arrowDown'} size={14} />}
    </UnstyledButton>
  );
};
