import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import { Icon } from '../../components/Icon.tsx';
import { useErrorText } from '../../i18n/errorText.ts';
import { useLanguage } from '../../i18n/language.tsx';

interface PrintButtonProps {
  readonly token: string;
  readonly orderId: string;
}

/** Prints the code on the receipt printer of the kiosk. */
export const PrintButton = ({ token, orderId }: PrintButtonProps) => {
  const t = useTranslations();
  const errorText = useErrorText();
  const { language } = useLanguage();
  const print = useMutation({
    mutationFn: () =>
      client.POST('/kiosk/orders/{orderId}/receipt', {
        params: { path: { orderId }, header: { 'X-Kiosk-Token': token } },
        body: { language },
      }),
    networkMode: 'always',
  });
  return (
    <Stack gap="xs" align="center">
      <Button
        size="xl"
        variant="default"
        leftSection={<Icon name="receipt" />}
        loading={print.isPending}
        onClick={() => print.mutate()}
      >
        {t('kiosk.print')}
      </Button>
      {(print.isSuccess || print.error) && (
        <Text role="status" c={print.error ? 'var(--mantine-color-error)' : 'dimmed'}>
          {print.error ? errorText(print.error).text : t('kiosk.printed')}
        </Text>
      )}
    </Stack>
  );
};
