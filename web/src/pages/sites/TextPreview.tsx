import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { directionOf, type GuestLanguage } from '../../../../src/i18n/guestLanguages.ts';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { paperForOne } from '../../vouchers/papers.ts';
import { SlipSheet } from '../../vouchers/SlipSheet.tsx';
import type { OwnTextGroup } from './ownTexts.ts';
import classes from './TextPreview.module.css';

type Preview = Schemas['TextPreview'] & Pick<PreviewOptions, 'language'>;

interface PreviewOptions {
  /** 0 for all sites. */
  readonly siteId: number;
  readonly language: GuestLanguage;
  readonly texts: Schemas['OwnTexts'];
}

const fetchPreview = async (
  { siteId, ...body }: PreviewOptions,
  paper: Schemas['SlipPaper'] = null,
): Promise<Preview> => {
  const params = { path: { siteId } };
  const { data } = await client.POST('/texts/{siteId}/preview', { params, body: { ...body, paper } });
  return { ...(data ?? { problems: [] }), language: body.language };
};

/** What guests would get, as the service makes it. Until it answers, it is what they would get of the texts before. */
export const useTextPreview = (options: PreviewOptions) =>
  useQuery({
    queryKey: ['text preview', options],
    queryFn: () => fetchPreview(options),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });

interface TextPreviewProps {
  readonly preview: Preview | undefined;
  readonly group: OwnTextGroup;
  readonly options: PreviewOptions;
  /** Whose logo is on the slip. */
  readonly site: Schemas['Site'] | undefined;
  /** What stands where there is no own text. */
  readonly standard: Schemas['OwnTexts'];
}

/** A slip, an e-mail, an SMS or the texts of a kiosk, on white paper in the dark, too. */
export const TextPreview = ({ preview, group, options, site, standard }: TextPreviewProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { slip, email, sms, kiosk } = preview ?? {};
  const isOfOtherLanguage = preview !== undefined && preview.language !== options.language;
  const openPdf = useMutation({
    mutationFn: async () => {
      const { layout, paper } = paperForOne(site?.slipPaper);
      return fetchPreview(options, layout === 'sheet' ? 'a4' : paper);
    },
    onSuccess: ({ pdf }) => {
      if (pdf === undefined) return;
      const link = document.createElement('a');
      link.href = `data:application/pdf;base64,${pdf}`;
      link.download = 'preview.pdf';
      link.click();
    },
    onError: notify.failed,
  });
  const shown = (
    <>
      {group === 'slip' && slip && (
        <>
          <div className={classes['paper']} lang={options.language} dir={directionOf(options.language)}>
            <SlipSheet slip={slip} logoOf={site?.hasLogo ? site.id : undefined} />
          </div>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={18} />}
            loading={openPdf.isPending}
            onClick={() => openPdf.mutate()}
          >
            {t('sites.textPdf')}
          </Button>
        </>
      )}
      {group === 'email' && email && (
        <>
          <Title order={3} fz="md">
            {email.subject}
          </Title>
          {/* Nothing in it runs. A new one each time: other content would be a step for Back, which closes the dialog. */}
          <iframe
            key={email.html}
            title={t('sites.textPreview')}
            sandbox=""
            srcDoc={email.html}
            className={classes['email']}
          />
        </>
      )}
      {group === 'sms' && sms && (
        <>
          <div className={classes['paper']} lang={options.language}>
            <span className={classes['lines']}>{sms.text}</span>
          </div>
          <Text size="sm" c="dimmed">
            {t('sites.smsParts', { count: sms.parts })}
          </Text>
        </>
      )}
      {group === 'kiosk' && kiosk && (
        <div className={classes['paper']} lang={options.language} dir={directionOf(options.language)}>
          <Stack gap="sm" ta="center">
            <strong>{kiosk.title ?? standard.kioskTitle}</strong>
            <span className={classes['lines']}>{kiosk.text ?? standard.kioskText}</span>
            <span className={classes['lines']}>{kiosk.note ?? site?.slipText}</span>
          </Stack>
        </div>
      )}
    </>
  );
  return (
    <Stack gap="xs" role="group" aria-label={t('sites.textPreview')}>
      <Text size="sm" c="dimmed">
        {t('sites.textPreview')}
      </Text>
      {/* Under the name of another language nothing is shown, and its place is kept. */}
      {isOfOtherLanguage ? (
        <Skeleton>
          <Stack gap="xs" style={{ visibility: 'hidden' }}>
            {shown}
          </Stack>
        </Skeleton>
      ) : (
        shown
      )}
    </Stack>
  );
};
