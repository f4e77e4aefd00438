import { SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { LogoField } from './LogoField.tsx';
import { PrintFields } from './PrintFields.tsx';
import { SlipPreview } from './SlipPreview.tsx';
import type { SiteForm } from './siteForm.ts';

const maxSlipCharacters = 1000;

interface SlipFieldsProps {
  readonly form: SiteForm;
  /** An address that holds the picture. */
  readonly logo: string | null;
  onLogo(logo: string | null): void;
  /** Those that print for the site. */
  readonly printers: readonly Schemas['Printer'][];
}

/** What is printed on the slips of a site. */
export const SlipFields = ({ form, logo, onLogo, printers }: SlipFieldsProps) => {
  const t = useTranslations();
  const { name, ssid, slipText } = form.values;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <Stack>
        <Textarea
          label={t('sites.slipText')}
          description={t('sites.slipTextText')}
          rows={4}
          maxLength={maxSlipCharacters}
          {...form.getInputProps('slipText')}
        />
        <LogoField hasLogo={logo !== null} onChange={onLogo} />
        <PrintFields form={form} printers={printers} />
      </Stack>
      <SlipPreview name={name} ssid={ssid} slipText={slipText} logo={logo} />
    </SimpleGrid>
  );
};
