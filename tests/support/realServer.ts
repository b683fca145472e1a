import { readConfig } from '#server/start/config';
import { runProgram } from '#server/start/runProgram';
import { serve } from '#server/start/serve';

/** A server that sends real orders, to a stand-in; the program itself does not start so yet. Its clock is the stand-in's. */
await runProgram(async () => {
  const ahead = Number(process.env.CLOCK_AHEAD);
  await serve(readConfig(), () => Date.now() + ahead);
});
