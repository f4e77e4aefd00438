/** When `--help` was asked for, prints what a script does, and ends it before anything is set up. */
export const printHelp = (text) => {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(text);
  process.exit(0);
};
