import { setFlagsFromString } from 'node:v8';
import { readConfig } from './start/config';
import { runProgram } from './start/runProgram';
import { serve } from './start/serve';

// What is left of a second's work is little: waking four threads to collect it takes a quarter of the time at rest.
setFlagsFromString('--no-parallel-scavenge');
// The whole heap is gone through when it has grown by half, not by a tenth: what is at rest grows slowly and is all alive.
setFlagsFromString('--heap-growing-percent=50');

await runProgram(() => serve(readConfig(), Date.now));
