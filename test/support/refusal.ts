/** What an answer that is an error looks like, byte for byte; for `toMatchObject`. */
export const refusal = (status: number, error: string, message: string) => ({
  status,
  text: JSON.stringify({ error, message }),
});

export const unauthorized = refusal(401, 'unauthorized', 'API-Schlüssel fehlt oder ist ungültig');
export const siteIdRequired = refusal(400, 'invalid_request', 'site_id erforderlich');
export const nameRequired = refusal(400, 'invalid_request', 'name erforderlich');
