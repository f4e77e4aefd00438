import { Button, Checkbox, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Suspense, useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import { lazyPart } from '../../lib/lazyPart.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';
import { isUsedUp, maxCount, mostCount, narrowingAt } from './allowance.ts';
import { AllowanceNote } from './AllowanceNote.tsx';
import {
  choiceOf,
  countOf,
  hasCount,
  isNameMissing,
  limitsOf,
  toOrder,
  type OrderDraft,
} from './orderDraft.ts';
import classes from './OrderForm.module.css';
import { OrderFailure, SlowAnswer } from './OrderMessages.tsx';
import type { OrderStage } from './orderStage.ts';
import { ProfileChips } from './ProfileChips.tsx';

const NameListField = lazyPart(async () => (await import('./NameListField.tsx')).NameListField);
const LimitFields = lazyPart(async () => (await import('../../vouchers/LimitFields.tsx')).LimitFields);

interface OrderFormProps {
  readonly sites: readonly DeskSite[];
  readonly site: DeskSite;
  /** Somebody still has to choose one of several sites. */
  readonly isSiteMissing: boolean;
  readonly draft: OrderDraft;
  readonly stage: OrderStage;
  readonly nameInput: RefObject<HTMLInputElement | null>;
  onChange(changed: Partial<OrderDraft>): void;
  onSubmit(): void;
  /** Frees the form while an order goes on. */
  onSetAside(): void;
}

/** What is ordered, on one screen. Enter in any field creates. */
export const OrderForm = (props: OrderFormProps) => {
  const { sites, site, isSiteMissing, draft, stage, nameInput, onChange, onSubmit, onSetAside } = props;
  const t = useTranslations();
  const choice = choiceOf(draft, site);
  const order = isSiteMissing ? undefined : toOrder(draft, site);
  const { requiresName, allowsCustom } = site.allowance;
  const most = Math.max(1, mostCount(site));
  const isCountWrong = !isSiteMissing && !hasCount(draft, site) && !isUsedUp(site);
  const isTyping = stage.kind === 'typing';
  const wasTyping = useRef(true);
  const firstProfile = useRef<HTMLInputElement>(null);
  const siteSelect = useRef<HTMLSelectElement>(null);
  const [wasRefused, setRefused] = useState(false);
  useEffect(() => {
    // Fields that were disabled have lost the focus.
    if (isTyping && !wasTyping.current) nameInput.current?.focus();
    wasTyping.current = isTyping;
  }, [isTyping, nameInput]);
  return (
    <Paper
      component="form"
      // What is wrong is said in the words of the page.
      noValidate
      p="lg"
      aria-label={t('desk.newVoucher')}
      onSubmit={(event) => {
        event.preventDefault();
        if (order) onSubmit();
        setRefused(!order);
        if (isSiteMissing) siteSelect.current?.focus();
        else if (isNameMissing(draft, site)) nameInput.current?.focus();
        else if (choice === null) firstProfile.current?.focus();
        else if (!order) event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      }}
    >
      {/* Above the fields, and moved into view: below a long form they would be out of sight. */}
      {stage.kind === 'sending' && <SlowAnswer orderId={draft.orderId} onSetAside={onSetAside} />}
      <OrderFailure stage={stage} onRetry={onSubmit} />
      <fieldset disabled={!isTyping} className={classes['fields']}>
        <Stack>
          {sites.length > 1 && (
            <NativeSelect
              ref={siteSelect}
              label={t('desk.site')}
              size="md"
              error={wasRefused && isSiteMissing && t('errors.site-required')}
              data={[
                ...(isSiteMissing ? [{ value: '', label: t('desk.chooseSite') }] : []),
                ...sites.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              value={isSiteMissing ? '' : String(site.id)}
              onChange={(event) => onChange({ siteId: Number(event.currentTarget.value) })}
            />
          )}
          <TextInput
            ref={nameInput}
            label={
              draft.names === null ? t(requiresName ? 'desk.nameRequired' : 'desk.name') : t('desk.listName')
            }
            required={requiresName && draft.names === null}
            error={wasRefused && isNameMissing(draft, site) && t('errors.note-required')}
            placeholder={draft.names === null ? t('desk.namePlaceholder') : ''}
            size="md"
            maxLength={255}
            autoComplete="off"
            autoFocus
            value={draft.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <Suspense>
            {draft.names !== null && (
              <NameListField
                value={draft.names}
                heading={draft.heading}
                most={most}
                onChange={onChange}
                onClose={() => onChange({ names: null, heading: 'none' })}
              />
            )}
          </Suspense>
          {!isSiteMissing && (
            <ProfileChips
              site={site}
              value={choice}
              allowsCustom={allowsCustom}
              isMissing={wasRefused && choice === null}
              firstInput={firstProfile}
              onChange={(chosen) => onChange({ choice: chosen })}
            />
          )}
          <Suspense>
            {!isSiteMissing && choice === 'own' && (
              <LimitFields
                value={limitsOf(draft, site)}
                narrowing={narrowingAt(site)}
                onChange={(limits) => onChange({ limits })}
              />
            )}
          </Suspense>
          {/* Above the field: below it would be out of sight, or move the button away. */}
          {isCountWrong && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              <CountError site={site} />
            </Text>
          )}
          {!isSiteMissing && <AllowanceNote site={site} />}
          {draft.names === null && Number(draft.count) > 1 && (
            <Checkbox
              label={t('desk.numbered', { example: numberedExample(draft) })}
              checked={draft.isNumbered}
              onChange={(event) => onChange({ isNumbered: event.currentTarget.checked })}
            />
          )}
          <Group align="flex-end" className={classes['submit'] ?? ''} data-submit>
            {draft.names === null && (
              <TextInput
                type="number"
                inputMode="numeric"
                label={t(countLabelOf(site), { most: mostCount(site) })}
                labelProps={{ style: { whiteSpace: 'nowrap' } }}
                size="md"
                w={{ base: 120, xs: 140 }}
                min={1}
                max={most}
                step={1}
                error={isCountWrong}
                value={draft.count}
                onChange={(event) => onChange({ count: event.currentTarget.value })}
              />
            )}
            <Button
              type="submit"
              size="md"
              px="sm"
              flex={1}
              // Its words are never cut: on a narrow phone it comes below.
              miw="max-content"
              loading={stage.kind === 'sending'}
              disabled={!isSiteMissing && isUsedUp(site)}
            >
              {t('desk.create', { count: countOf(draft, site) })}
            </Button>
          </Group>
          {draft.names === null && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes['list'] ?? ''}
              leftSection={<Icon name="users" size={16} />}
              onClick={() => onChange({ names: '' })}
            >
              {t('desk.listNames')}
            </Button>
          )}
        </Stack>
      </fieldset>
    </Paper>
  );
};

/** Where the day leaves only so many, it says so. */
const countLabelOf = (site: DeskSite): 'desk.count' | 'desk.countOne' | 'desk.countToday' => {
  const most = mostCount(site);
  if (site.allowance.leftToday === most) return 'desk.countToday';
  return most === 1 ? 'desk.countOne' : 'desk.count';
};

/** How many may be ordered, and why not more. */
const CountError = ({ site }: { readonly site: DeskSite }) => {
  const t = useTranslations();
  const { leftToday, maxPerDay } = site.allowance;
  const most = mostCount(site);
  if (most === maxCount) return t('errors.count-invalid');
  return leftToday === most && maxPerDay !== null
    ? t('errors.daily-limit', { left: leftToday, most: maxPerDay })
    : t('errors.count-limit', { most });
};

/** What the first of several vouchers will be called. */
const numberedExample = ({ name, count }: OrderDraft): string =>
  `${name.trim() === '' ? '#' : `${name.trim().slice(0, 20)} `}1/${String(count)}`;
