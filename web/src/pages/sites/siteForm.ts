import type { UseFormReturnType } from '@mantine/form';
import type { Schemas } from '../../api/schemas.ts';
import { slipPapers, type SlipPaper } from '../../vouchers/papers.ts';

/** What the parts of the dialog edit together. */
export interface SiteFormValues {
  readonly name: string;
  readonly profileId: string | null;
  readonly ssid: string;
  readonly wifiKind: Schemas['WifiKind'];
  /** Empty: as it is stored. */
  readonly wifiPassword: string;
  readonly isWifiHidden: boolean;
  readonly slipText: string;
  /** Empty: none is chosen. */
  readonly slipPaper: string;
  /** `off`, `browser`, or the id of a receipt printer. */
  readonly printAtOnce: string;
}

export type SiteForm = UseFormReturnType<SiteFormValues>;

/** The name of a network is this long at most, in bytes. */
export const maxSsidBytes = 32;

export const siteFormValues = (site: Schemas['Site']): SiteFormValues => ({
  name: site.name,
  profileId: site.defaultProfileId === null ? null : String(site.defaultProfileId),
  ssid: site.ssid ?? '',
  wifiKind: site.wifiKind,
  wifiPassword: '',
  isWifiHidden: site.isWifiHidden,
  slipText: site.slipText ?? '',
  slipPaper: site.slipPaper ?? '',
  printAtOnce: site.printAtOnce === 'printer' ? String(site.printerId) : site.printAtOnce,
});

const isSlipPaper = (name: string): name is SlipPaper => name in slipPapers;

const toPrintAtOnce = (chosen: string): Pick<Schemas['SiteChange'], 'printAtOnce' | 'printerId'> =>
  chosen === 'off' || chosen === 'browser'
    ? { printAtOnce: chosen }
    : { printAtOnce: 'printer', printerId: Number(chosen) };

/** What the service is asked to change: what somebody else has changed meanwhile stays. */
export const toSiteChange = (values: SiteFormValues, before: SiteFormValues): Schemas['SiteChange'] => {
  const known: Readonly<Record<string, unknown>> = { ...toFields(before) };
  return Object.fromEntries(
    Object.entries(toFields(values)).filter(([name, value]) => known[name] !== value),
  );
};

/** A site without a network is stored as one with an open network. */
const toFields = (values: SiteFormValues): Schemas['SiteChange'] => {
  const ssid = values.ssid.trim() || null;
  const wifiKind = ssid === null ? 'open' : values.wifiKind;
  return {
    name: values.name,
    defaultProfileId: values.profileId === null ? null : Number(values.profileId),
    ssid,
    wifiKind,
    isWifiHidden: ssid !== null && values.isWifiHidden,
    ...(wifiKind !== 'open' && values.wifiPassword !== '' && { wifiPassword: values.wifiPassword }),
    slipText: values.slipText.trim() || null,
    slipPaper: isSlipPaper(values.slipPaper) ? values.slipPaper : null,
    ...toPrintAtOnce(values.printAtOnce),
  };
};
