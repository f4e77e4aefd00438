import { NativeSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { maxSsidBytes, type SiteForm } from './siteForm.ts';

const kinds = ['open', 'wpa', 'sae'] as const;

interface WifiFieldsProps {
  readonly form: SiteForm;
  readonly hasPassword: boolean;
  /** Whether somebody came for these fields. */
  readonly isAskedFor: boolean;
}

/** How guests join the wireless network of a site. A stored password is not shown here: slips have it. */
export const WifiFields = ({ form, hasPassword, isAskedFor }: WifiFieldsProps) => {
  const t = useTranslations();
  const { ssid, wifiKind } = form.values;
  const hasNetwork = ssid.trim() !== '';
  return (
    <Stack>
      <TextInput
        label={t('sites.ssid')}
        description={t('sites.ssidText')}
        maxLength={maxSsidBytes}
        autoComplete="off"
        autoFocus={isAskedFor}
        {...form.getInputProps('ssid')}
      />
      <NativeSelect
        label={t('sites.wifiKind')}
        description={
          hasNetwork ? (wifiKind === 'sae' ? t('sites.wifiKindText-sae') : undefined) : t('sites.needsSsid')
        }
        disabled={!hasNetwork}
        data={kinds.map((kind) => ({ value: kind, label: t(`sites.wifiKind-${kind}`) }))}
        {...form.getInputProps('wifiKind')}
      />
      {hasNetwork && wifiKind !== 'open' && (
        <PasswordInput
          label={t('sites.wifiPassword')}
          description={hasPassword ? t('sites.wifiPasswordSet') : t('sites.wifiPasswordText')}
          required={!hasPassword}
          maxLength={64}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('sites.showWifiPassword') }}
          {...form.getInputProps('wifiPassword')}
        />
      )}
      {hasNetwork && (
        <Switch
          label={t('sites.wifiHidden')}
          description={t('sites.wifiHiddenText')}
          {...form.getInputProps('isWifiHidden', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
};
