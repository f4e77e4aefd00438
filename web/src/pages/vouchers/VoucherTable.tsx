import { Checkbox, Paper } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useShortcuts } from '../../lib/shortcuts.ts';
import type { Voucher } from '../../vouchers/voucher.ts';
import { VoucherRow } from '../../vouchers/VoucherRow.tsx';
import classes from './VoucherTable.module.css';

/** How many vouchers the service takes at once. */
export const maxSelected = 500;

const rowHeight = 53;
/** Rows beyond the edge of the screen. */
const overscan = 15;
/** So many rows before the end, the next page is asked for. */
const lookAhead = 40;

interface VoucherTableProps {
  readonly vouchers: readonly Voucher[];
  readonly selected: ReadonlySet<number>;
  /** Undefined for somebody who may do nothing with them. */
  readonly onSelect: ((selected: ReadonlySet<number>) => void) | undefined;
  onShow(voucher: Voucher): void;
  /** Called when the end of what is loaded comes near. */
  onEnd(): void;
}

/** Thousands of vouchers, of which only those on the screen are elements. Arrows go up and down. */
export const VoucherTable = ({ vouchers, selected, onSelect, onShow, onEnd }: VoucherTableProps) => {
  const t = useTranslations();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- its values stay inside this component
  const virtual = useWindowVirtualizer({
    count: vouchers.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    getItemKey: (index) => vouchers[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= vouchers.length - lookAhead) onEnd();
  }, [last, vouchers.length, onEnd]);
  const [focused, setFocused] = useState(-1);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>(`[data-index="${String(focused)}"] .voucher-row-main`)?.focus();
  }, [focused]);
  const move = (by: number): void => {
    const active = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    const next = active === undefined ? 0 : Math.min(Math.max(Number(active) + by, 0), vouchers.length - 1);
    virtual.scrollToIndex(next);
    setFocused(next);
  };
  useShortcuts({ ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const toggle = (id: number): void => {
    const next = new Set(selected);
    if (!next.delete(id) && next.size < maxSelected) next.add(id);
    onSelect?.(next);
  };
  const selectable = vouchers.slice(0, maxSelected);
  const isAll = selectable.length > 0 && selectable.every(({ id }) => selected.has(id));
  return (
    <Paper className="voucher-list">
      {onSelect && (
        <div className={classes['head']}>
          <Checkbox
            label={t('vouchers.selectAll', { count: selectable.length })}
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            onChange={() => onSelect(new Set(isAll ? [] : selectable.map(({ id }) => id)))}
          />
        </div>
      )}
      <div
        ref={list}
        role="list"
        aria-label={t('vouchers.title')}
        className={classes['list']}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const voucher = vouchers[index];
          return (
            voucher && (
              <div
                key={key}
                role="listitem"
                aria-setsize={vouchers.length}
                aria-posinset={index + 1}
                data-index={index}
                ref={virtual.measureElement}
                className={classes['item']}
                style={{ transform: `translateY(${String(start - top)}px)` }}
              >
                <VoucherRow
                  voucher={voucher}
                  isShown={selected.has(voucher.id)}
                  onShow={() => onShow(voucher)}
                  before={
                    onSelect && (
                      <Checkbox
                        checked={selected.has(voucher.id)}
                        onChange={() => toggle(voucher.id)}
                        aria-label={t('vouchers.select', { code: voucher.formattedCode })}
                      />
                    )
                  }
                />
              </div>
            )
          );
        })}
      </div>
    </Paper>
  );
};
