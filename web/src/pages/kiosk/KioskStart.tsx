import { Button, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { BrandLogo } from '../../components/Logo.tsx';
import { useSpeedAndDataText } from '../../vouchers/speedAndData.ts';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from './KioskPage.module.css';
import { useKioskTexts } from './kioskTexts.ts';

type View = Pick<
  Schemas['KioskView'],
  'siteName' | 'logo' | 'asksName' | 'requiresName' | 'profiles' | 'texts'
>;

interface KioskStartProps {
  readonly kiosk: View;
  readonly name: string;
  /** The profile of which a voucher is being made. */
  readonly pendingProfileId: number | undefined;
  onNameChange(name: string): void;
  onTake(profileId: number): void;
}

/** What the next guest sees: one large button, or a tile for each profile. */
export const KioskStart = ({ kiosk, name, pendingProfileId, onNameChange, onTake }: KioskStartProps) => {
  const t = useTranslations();
  const own = useKioskTexts(kiosk.texts);
  const [profile, ...others] = kiosk.profiles;
  const hasChoice = others.length > 0;
  return (
    <form
      className={classes['centre']}
      onSubmit={(event) => {
        event.preventDefault();
        // With several profiles the pressed tile says which, and Enter in the field chooses none.
        const { submitter } = event.nativeEvent;
        const chosen = submitter instanceof HTMLButtonElement ? Number(submitter.value) : undefined;
        const profileId = hasChoice ? chosen : profile?.id;
        if (profileId) onTake(profileId);
      }}
    >
      {kiosk.logo === null ? (
        <BrandLogo height={128} isLarge />
      ) : (
        <img src={kiosk.logo} alt="" className={classes['logo']} />
      )}
      <Text fz="xl" fw={600}>
        {kiosk.siteName}
      </Text>
      <Title order={1} className={classes['title'] ?? ''}>
        {own?.title ?? t('kiosk.title')}
      </Title>
      <Text fz="xl" c="dimmed" className={classes['slipText'] ?? ''}>
        {own?.text ?? (hasChoice ? t('kiosk.choose') : t('kiosk.text'))}
      </Text>
      {kiosk.asksName && (
        <TextInput
          label={kiosk.requiresName ? t('kiosk.nameRequired') : t('kiosk.name')}
          size="xl"
          w="100%"
          maw="28rem"
          maxLength={100}
          autoComplete="off"
          required={kiosk.requiresName}
          withAsterisk={false}
          value={name}
          onChange={(event) => onNameChange(event.currentTarget.value)}
        />
      )}
      {hasChoice ? (
        <ProfileTiles profiles={kiosk.profiles} pendingProfileId={pendingProfileId} />
      ) : (
        <Button type="submit" className={classes['button'] ?? ''} loading={pendingProfileId !== undefined}>
          {t('kiosk.take')}
        </Button>
      )}
    </form>
  );
};

interface ProfileTilesProps {
  readonly profiles: readonly Schemas['KioskProfile'][];
  readonly pendingProfileId: number | undefined;
}

const ProfileTiles = ({ profiles, pendingProfileId }: ProfileTilesProps) => {
  const t = useTranslations();
  const validityText = useValidityText();
  const speedAndData = useSpeedAndDataText();
  return (
    <div className={classes['tiles']} role="group" aria-label={t('kiosk.choose')}>
      {profiles.map((profile) => (
        <UnstyledButton
          key={profile.id}
          type="submit"
          value={profile.id}
          className={classes['tile'] ?? ''}
          aria-busy={pendingProfileId === profile.id}
          aria-disabled={pendingProfileId !== undefined}
          data-pending={pendingProfileId === profile.id || undefined}
        >
          <span className={classes['tileName']}>{profile.name}</span>
          <span>{validityText(profile)}</span>
          {(profile.down > 0 || profile.up > 0 || profile.quotaMb > 0) && (
            <span>{speedAndData(profile)}</span>
          )}
        </UnstyledButton>
      ))}
    </div>
  );
};
