/** What an account lacks, and what to do about it. */
export const permissionText = (name: string): string =>
  `Das Konto am Controller „${name}“ darf das nicht. Es braucht dort die Rolle Hotspot oder Administrator`;
