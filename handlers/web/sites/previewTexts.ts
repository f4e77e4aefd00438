import type { WebHandler } from '../handler.js';
import { toSlipReply } from '../replies.js';

export const previewTexts: WebHandler<'previewTexts'> = async (
  { input: { path, body }, reply },
  { textPreviews },
) => {
  const { language, texts, paper = null } = body;
  const preview = await textPreviews.make({ siteId: path.siteId, language, texts, paper });
  if ('problems' in preview) {
    const problems = preview.problems.map(({ name, line, column, found }) => ({ name, line, column, found }));
    return reply(200, { problems });
  }
  return reply(200, {
    problems: [],
    slip: toSlipReply(preview.slip),
    email: { ...preview.email },
    sms: { ...preview.sms },
    kiosk: { ...preview.kiosk },
    ...(preview.pdf && { pdf: preview.pdf.toString('base64') }),
  });
};
