import { StartRefusal } from '../base/startRefusal';

/** Runs a program's main function; a refusal ends it with its one line, anything else is a defect and shows its stack. */
export async function runProgram(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof StartRefusal ? error.message : error);
    process.exit(1);
  }
}
