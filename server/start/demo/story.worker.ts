import { once } from 'node:events';
import { connectTo } from '../../base/db/connection/openUrl';
import { seedHistory } from './story';
import type { StoryPart } from './storyCast';

/** A transaction of the engine, what is read beside it, and who looks whether another has taken the story over. */
const CONNECTIONS = 3;

let stopping = false;
// The server has ended, or asks for the end.
process.once('disconnect', () => {
  stopping = true;
});
const [{ url, part }] = (await once(process, 'message')) as [{ url: string; part: StoryPart }];
// Nobody was told of the past: what a power cut takes of it is told again.
const db = connectTo(without('synchronous_commit', url), {
  connections: CONNECTIONS,
  isShared: false,
  isTelling: true,
});
try {
  await seedHistory({ db, part, clock: Date.now, stopped: () => stopping });
} finally {
  await db.close();
  if (process.connected) process.disconnect();
}

/** An address whose sessions have a setting off. */
function without(setting: string, address: string): string {
  const own = new URL(address);
  own.searchParams.set('options', `${own.searchParams.get('options') ?? ''} -c ${setting}=off`.trim());
  return own.href;
}
