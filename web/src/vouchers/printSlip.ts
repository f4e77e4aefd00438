/** Pixels of CSS. */
const millimetre = 96 / 25.4;

const rollMargins = { '58mm': 5, '62mm': 2, '80mm': 4 } as const;
/** What is printed of small papers, in millimetres. */
const heights = { a6: 132, a7: 95 } as const;
const isIn = <T extends object>(papers: T, paper: string | undefined): paper is keyof T & string =>
  paper !== undefined && paper in papers;

const rollSize = new CSSStyleSheet();

/** A page of CSS has a fixed height: a roll gets that of its slip, and on small papers the slip becomes smaller. */
const fitPaper = (slip: HTMLElement): void => {
  const { paper } = slip.dataset;
  slip.style.removeProperty('--fit');
  slip.dataset['measured'] = '';
  const height = slip.getBoundingClientRect().height / millimetre;
  delete slip.dataset['measured'];
  if (isIn(rollMargins, paper)) {
    const length = Math.ceil(height + 2 * rollMargins[paper]) + 1;
    rollSize.replaceSync(`@page slip-${paper} { size: ${paper} ${String(length)}mm; }`);
    if (!document.adoptedStyleSheets.includes(rollSize)) document.adoptedStyleSheets.push(rollSize);
  } else if (isIn(heights, paper) && height > heights[paper])
    slip.style.setProperty('--fit', String((heights[paper] / height) * 0.98));
};

/** Opens the browser's print dialog for the PrintedSlip that is there, once its logo is there, too. */
export const printSlip = async (): Promise<void> => {
  const slip = document.querySelector<HTMLElement>('.printed-slip');
  // A slip without its picture is better than none.
  await slip
    ?.querySelector('img')
    ?.decode()
    .catch(() => undefined);
  if (slip) fitPaper(slip);
  window.print();
};
