/** Opens the browser's print dialog for the PrintedSlip that is there, once its logo is there, too. */
export const printSlip = async (): Promise<void> => {
  const logo = document.querySelector<HTMLImageElement>('.printed-slip img');
  // A slip without its picture is better than none.
  await logo?.decode().catch(() => undefined);
  window.print();
};
