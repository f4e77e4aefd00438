import { Checkbox, Paper } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useTranslations } from 'use-intl';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { NewForGuestIcon } from '../../vouchers/NewForGuest.tsx';
import type { Voucher } from '../../vouchers/voucher.ts';
import { VoucherRow } from '../../vouchers/VoucherRow.tsx';
import { OrderRow, type ListedOrder } from '../../vouchers/OrderRow.tsx';
import { VoucherHeads } from './VoucherHeads.tsx';
import { countVouchers, type ListRow } from '../../vouchers/voucherRows.ts';
import { maxSelected, type VoucherSort } from './voucherSearch.ts';
import classes from './VoucherTable.module.css';

const rowHeight = 53;
/** Rows beyond the edge of the screen. */
const overscan = 15;
/** So many rows before the end, the next page is asked for. */
const lookAhead = 40;

export interface VoucherList {
  focusFirst(): void;
}

interface VoucherTableProps {
  readonly ref: Ref<VoucherList>;
  readonly rows: readonly ListRow[];
  readonly sort: VoucherSort;
  readonly selected: ReadonlyMap<number, Voucher>;
  readonly opened: ReadonlySet<string>;
  /** Those of an order, once they are known. */
  vouchersOf(orderId: string): readonly Voucher[] | undefined;
  onSort(sort: VoucherSort): void;
  /** Undefined for somebody who may do nothing with them. */
  readonly onSelect: ((rows: readonly ListRow[], isSelected: boolean) => void) | undefined;
  onOpen(order: ListedOrder): void;
  onShow(voucher: Voucher): void;
  /** Called when the end of what is loaded comes near. */
  onEnd(): void;
}

/** Thousands of vouchers, of which only those on the screen are elements. Arrows go up and down. */
export const VoucherTable = (props: VoucherTableProps) => {
  const { ref, rows, sort, selected, opened, vouchersOf, onSort, onSelect, onOpen, onShow, onEnd } = props;
  const t = useTranslations();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- its values stay inside this component
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    getItemKey: (index) => keyOf(rows[index]) ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - lookAhead) onEnd();
  }, [last, rows.length, onEnd]);
  // An object of its own each time: the same row may be gone to again.
  const [focused, setFocused] = useState<{ readonly index: number }>();
  useEffect(() => {
    if (focused) rowMain(list.current, focused.index)?.focus();
  }, [focused]);
  const focusRow = (index: number): void => {
    virtual.scrollToIndex(index);
    setFocused({ index });
  };
  const move = (by: number): void => {
    const active = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    focusRow(active === undefined ? 0 : Math.min(Math.max(Number(active) + by, 0), rows.length - 1));
  };
  useImperativeHandle(ref, () => ({ focusFirst: () => focusRow(0) }));
  useShortcuts({ ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const selectable = Math.min(countVouchers(rows), maxSelected);
  const isAll = selected.size >= selectable;
  return (
    <Paper className="voucher-list">
      <div className={classes['head']}>
        {onSelect && (
          <Checkbox
            aria-label={t('vouchers.selectAll', { count: selectable })}
            title={t('vouchers.selectAll', { count: selectable })}
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            onChange={() => onSelect(rows, !isAll)}
          />
        )}
        <VoucherHeads sort={sort} onSort={onSort} />
        {onSelect && <span className="voucher-row-after" data-empty />}
      </div>
      <div
        ref={list}
        role="list"
        aria-label={t('vouchers.title')}
        className={classes['list']}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                role="listitem"
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                data-index={index}
                data-of-order={(row.kind === 'voucher' && row.isOfOrder) || undefined}
                ref={virtual.measureElement}
                className={classes['item']}
                style={{ transform: `translateY(${String(start - top)}px)` }}
              >
                {row.kind === 'order' ? (
                  <OrderRow
                    order={row.order}
                    voucher={row.voucher}
                    isOpen={opened.has(row.order.id)}
                    hasPlaceAfter={onSelect !== undefined}
                    onToggle={() => onOpen(row.order)}
                    before={
                      onSelect && (
                        <OrderBox
                          row={row}
                          own={vouchersOf(row.order.id)}
                          selected={selected}
                          onSelect={(isSelected) => onSelect([row], isSelected)}
                        />
                      )
                    }
                  />
                ) : (
                  <VoucherRow
                    voucher={row.voucher}
                    isShown={selected.has(row.voucher.id)}
                    onShow={() => onShow(row.voucher)}
                    after={onSelect && <NewForGuestIcon voucher={row.voucher} />}
                    before={
                      onSelect && (
                        <Checkbox
                          checked={selected.has(row.voucher.id)}
                          onChange={() => onSelect([row], !selected.has(row.voucher.id))}
                          aria-label={t('vouchers.select', { code: row.voucher.formattedCode })}
                        />
                      )
                    }
                  />
                )}
              </div>
            )
          );
        })}
      </div>
    </Paper>
  );
};

const rowMain = (list: HTMLElement | null, index: number): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`[data-index="${String(index)}"] .voucher-row-main`);

const keyOf = (row: ListRow | undefined): string | undefined =>
  row &&
  (row.kind === 'order' ? row.order.id : `${String(row.voucher.id)}${row.isOfOrder ? ' of order' : ''}`);

interface OrderBoxProps {
  readonly row: ListRow & { readonly kind: 'order' };
  readonly own: readonly Voucher[] | undefined;
  readonly selected: ReadonlyMap<number, Voucher>;
  onSelect(isSelected: boolean): void;
}

/** Selects all vouchers of an order. */
const OrderBox = ({ row, own = [], selected, onSelect }: OrderBoxProps) => {
  const t = useTranslations();
  const count = own.filter(({ id }) => selected.has(id)).length;
  const isAll = count > 0 && count === own.length;
  return (
    <Checkbox
      checked={isAll}
      indeterminate={!isAll && count > 0}
      onChange={() => onSelect(!isAll)}
      aria-label={t('vouchers.selectOrder', { count: row.order.count })}
    />
  );
};
