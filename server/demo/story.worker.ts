import { once } from 'node:events';
import { connectTo } from '../db/openUrl';
import { tellStory } from './story';

/** A transaction of the engine, what is read beside it, and who looks whether another has taken the story over. */
const CONNECTIONS = 3;

let stopping = false;
// The server has ended, or asks for the end.
process.once('disconnect', () => {
  stopping = true;
});
const [{ url }] = (await once(process, 'message')) as [{ url: string }];
const db = connectTo(url, { connections: CONNECTIONS, isShared: false });
try {
  await tellStory({ db, clock: Date.now, stopped: () => stopping });
} finally {
  await db.close();
  if (process.connected) process.disconnect();
}
