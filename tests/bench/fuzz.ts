import { sql } from 'drizzle-orm';
import * as schema from '#server/base/db/schema';
import { createSimulatedVenues } from '../../server/market/simulated';
import { START, testApp } from '../support/app';
import { fuzz } from '../support/fuzz';
import { handMarkets } from '../support/handMarket';
import { ownedRecords } from '../support/ownedRecords';
import type { Figure } from './figure';

const FOR_MS = 120_000;

/**
 * Every endpoint of the contract for two minutes, called rightly, nearly so and with bad intent, on a server in memory
 * with records of two people. The seed is another each time and stands in the name; what should not have been goes to
 * the standard error.
 */
export async function fuzzFigures(): Promise<Figure[]> {
  const venues = createSimulatedVenues({ clock: () => START });
  const markets = handMarkets(...venues);
  const server = await testApp({ markets, desk: { wake: () => closeWhatIsAsked() } });
  const closeWhatIsAsked = async () => {
    await server.db.update(schema.deal).set({ state: 'closed' }).where(sql`close_asked_at is not null`);
  };
  const owners = [await ownedRecords(server, 'first', 'master'), await ownedRecords(server, 'second', 'user')];
  // The past of a market is made when it is first asked for, which takes longer than an answer may.
  for (const venue of venues) await venue.tickers();
  const seed = Date.now() % 1_000_000_000;
  const ids = owners.flatMap((owner) => Object.values(owner.ids));
  const result = await fuzz(server, ids, { seed, perEndpoint: 9, forMs: FOR_MS });
  for (const fault of result.faults) console.error(fault);
  await server.close();
  const name = `fuzz of ${result.endpoints} endpoints, seed ${seed}`;
  return [
    { name: `${name}: calls`, value: result.calls, unit: 'calls' },
    { name: `${name}: hostile calls`, value: result.hostile, unit: 'calls' },
    { name: `${name}: 5xx`, value: result.failed, unit: 'answers' },
    { name: `${name}: answers that the contract does not know`, value: result.faults.length, unit: 'answers' },
    { name: `${name}: slowest answer`, value: result.slowestMs, unit: 'ms' },
  ];
}
