import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { readChoice, readText } from '../../lib/search.ts';
import { useCurrentUser } from '../../session/session.ts';
import { voucherStates } from '../../vouchers/voucher.ts';
import type { FilterSite } from './filterSites.ts';
import type { VoucherFilterValue } from './voucherSearch.ts';
import classes from './VoucherFilter.module.css';

interface VoucherFilterProps {
  readonly value: VoucherFilterValue;
  readonly sites: readonly FilterSite[];
  /** Names that can be chosen from, such as those in the list. */
  readonly creators: readonly string[];
  readonly textInput: RefObject<HTMLInputElement | null>;
  onChange(value: VoucherFilterValue): void;
  /** Enter where the text is typed. */
  onEnter(): void;
  /** The arrow down there. */
  onDown(): void;
}

const idOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** What is looked for. */
export const VoucherFilter = (props: VoucherFilterProps) => {
  const { value, sites, creators, textInput, onChange, onEnter, onDown } = props;
  const t = useTranslations();
  // Viewers see no codes, and so they look for names.
  const seesCodes = useCurrentUser().role !== 'viewer';
  const change = (changed: Partial<VoucherFilterValue>): void => onChange({ ...value, ...changed });
  const profiles = new Map(sites.flatMap((site) => site.profiles).map(({ id, name }) => [id, name]));
  const any = { value: '', label: t('vouchers.any') };
  const [hasMore, setMore] = useState(false);
  // One line on a wide screen; others show the rest when it is asked for.
  const rest = hasMore ? {} : ({ visibleFrom: 'lg' } as const);
  return (
    <Group align="flex-end" gap="sm" role="search" wrap="wrap" className={classes['filter'] ?? ''}>
      <TextInput
        ref={textInput}
        type="search"
        label={t(seesCodes ? 'vouchers.text' : 'vouchers.head-name')}
        placeholder={seesCodes ? t('vouchers.textPlaceholder') : t('desk.namePlaceholder')}
        leftSection={<Icon name="vouchers" size={18} />}
        maxLength={255}
        autoComplete="off"
        autoFocus
        className={classes['text'] ?? ''}
        value={value.text ?? ''}
        onChange={(event) => change({ text: readText(event.currentTarget.value) })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') onEnter();
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onDown();
        }}
      />
      <NativeSelect
        label={t('vouchers.state')}
        data={[
          any,
          ...voucherStates.map((state) => ({
            value: state,
            label: state === 'expired' ? t('vouchers.expiredOrGone') : t(`vouchers.state-${state}`),
          })),
        ]}
        value={value.state ?? ''}
        onChange={(event) => change({ state: readChoice(event.currentTarget.value, voucherStates) })}
      />
      {sites.length > 1 && (
        <NativeSelect
          label={t('vouchers.site')}
          {...rest}
          data={[any, ...sites.map(({ id, name }) => ({ value: String(id), label: name }))]}
          value={String(value.siteId ?? '')}
          onChange={(event) => change({ siteId: idOf(event.currentTarget.value) })}
        />
      )}
      {profiles.size > 0 && (
        <NativeSelect
          label={t('vouchers.profile')}
          {...rest}
          data={[any, ...[...profiles].map(([id, name]) => ({ value: String(id), label: name }))]}
          value={String(value.profileId ?? '')}
          onChange={(event) => change({ profileId: idOf(event.currentTarget.value) })}
        />
      )}
      <TextInput
        label={t('vouchers.createdBy')}
        list="voucher-creators"
        maxLength={300}
        {...rest}
        value={value.createdBy ?? ''}
        onChange={(event) => change({ createdBy: readText(event.currentTarget.value) })}
      />
      <datalist id="voucher-creators">
        {creators.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextInput
        type="date"
        className={classes['day'] ?? ''}
        label={t('vouchers.from')}
        {...rest}
        value={value.from ?? ''}
        max={value.to}
        onChange={(event) => change({ from: readText(event.currentTarget.value) })}
      />
      <TextInput
        type="date"
        className={classes['day'] ?? ''}
        label={t('vouchers.to')}
        {...rest}
        value={value.to ?? ''}
        min={value.from}
        onChange={(event) => change({ to: readText(event.currentTarget.value) })}
      />
      <Button variant="subtle" hiddenFrom="lg" aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
        {hasMore ? t('vouchers.fewer') : t('vouchers.more')}
      </Button>
    </Group>
  );
};
