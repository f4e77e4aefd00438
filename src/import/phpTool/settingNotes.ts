/** Settings of the tool that voucherd has somewhere else, and where. */
const counterparts: readonly (readonly [enabled: (get: Get) => boolean, note: string])[] = [
  [
    (get) => get('smtp_enabled') === '1',
    "e-mail is sent as SMTP_URL and MAIL_FROM say: take the server and the account from the tool's settings",
  ],
  [
    (get) => get('oidc_enabled') === '1',
    "single sign-on is set up with OIDC_*: take client and secret from the tool's settings; the redirect address is another one",
  ],
  [
    (get) => get('m365_client_id') !== '',
    'sign-in with Microsoft is set up with OIDC_*, with the issuer https://login.microsoftonline.com/<tenant>/v2.0',
  ],
  [
    (get) => get('enforce_2fa_admins') === '1',
    'administrators had to have a second factor: require it again in the web UI',
  ],
  [(get) => get('trusted_proxy') !== '', 'trusted proxies are listed in TRUST_PROXY'],
  [(get) => Number(get('cleanup_audit_days')) > 0, 'how long the audit log is kept is set with AUDIT_DAYS'],
  [
    (get) => get('logo_url') !== '' || get('print_template') !== '',
    'logo and text of printed slips are set for each site in the web UI',
  ],
  [(get) => get('sms_enabled') === '1', 'vouchers are not sent by SMS'],
  [(get) => Number(get('user_daily_voucher_limit')) > 0, 'there is no daily limit of vouchers for each user'],
];

type Get = (name: string) => string;

/** What to set up by hand. Names only: the values may be secret. */
export const noteToolSettings = (settings: ReadonlyMap<string, string>): string[] => {
  const get: Get = (name) => settings.get(name) ?? '';
  return [
    ...counterparts.flatMap(([isSet, note]) => (isSet(get) ? [note] : [])),
    'sessions, the audit log and all other settings are not moved',
  ];
};
