import { createSimulatedVenues, type SimulatedMarket } from '#server/market/simulated';
import { startStandIn } from '../standin/standIn';
import { crowded } from './crowdedMarket';
import { fastClock } from './fastClock';

/** A process of the exchanges alone: so many coins at each, in a time that goes faster. Tells where they are. */
const [coins = 0, speed = 1, beganAt = 0] = process.argv.slice(2).map(Number);
const clock = fastClock(speed, beganAt);
const venues = createSimulatedVenues({ clock }).map((venue) => crowded(venue, coins) as SimulatedMarket);
const { url } = await startStandIn({ clock, coins: 'all', venues });
process.send!(url);
process.on('disconnect', () => process.exit(0));
