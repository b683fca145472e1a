import '../kinds/kinds';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { HOUR_MS } from '#contract/duration';
import type { Deps } from '../api/deps';
import { createMetrics, timedVenue } from '../api/metrics';
import { publishNotices } from '../api/stream/publishNotices';
import { createStreamHub } from '../api/stream/streamHub';
import { StreamRelay } from '../api/stream/streamRelay';
import type { Database } from '../base/db/client';
import { BATCH, RETENTION } from '../base/db/records/retention';
import { Jobs } from '../base/jobs/jobs';
import type { Vault } from '../base/secret/vault';
import { openMissingAccounts } from '../desk/account/openAccount';
import { DailyReconcile } from '../desk/order/dailyReconcile';
import { StrategyBreaker } from '../desk/strategy/strategyBreaker';
import { Engine } from '../engine/engine';
import { PairModels } from '../engine/pairModel';
import type { Clock, Markets } from '../market/exchange';
import type { KeyCheck } from '../market/keyCheck';
import { createPaperVenue, DEPTH_HALF_LIFE_MS } from '../market/paper/paperVenue';
import { venueByMode } from '../market/venueByMode';
import { KeyWatch } from '../people/apiKey/keyWatch';
import { Notifier } from '../people/notification/notifier';
import { createPublicMail } from '../people/notification/publicMail';
import { createPublicPost } from '../people/notification/publicPost';
import { seedHistoryInWorker, storyProgress } from './demo/storyProcess';
import { createReal, type RealOptions } from './real';

/** Between two batches others have their turn. */
const REST_MS = 50;

/** Takes away what is older than it is kept, batch by batch: a job, once an hour, of whichever process comes first. */
export class Retention {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'jobs'>;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'jobs'>) {
    this.#deps = deps;
    deps.jobs.work('retention', { atOnce: 1, run: ({ signal }) => this.#pass(signal) });
  }

  /** Only one waits: it is the next where there is one already. */
  start(): Promise<void> {
    return this.#next(0);
  }

  #next(waitMs: number): Promise<void> {
    const { db, jobs } = this.#deps;
    return jobs.add(db, 'retention', [{ data: {}, waitMs }]);
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    // First: should this one fail for good, there is another in an hour.
    await this.#next(HOUR_MS);
    for (const { keptMs, drop } of Object.values(RETENTION)) {
      for (let taken = BATCH; taken === BATCH && !signal.aborted; ) {
        taken = await drop(db, clock() - keptMs);
        if (taken === BATCH) await pause(REST_MS);
      }
    }
  }
}

/** How long an order is on its way to a venue across the sea that does not say so itself, milliseconds. */
const travelMs = () => 20 + 60 * Math.random();

interface TradingOptions extends Pick<RealOptions, 'real'> {
  db: Database;
  clock: Clock;
  markets: Markets;
  vault: Vault;
  /** Asks exchanges about users' keys; null where there is none. */
  keyCheck: KeyCheck | null;
  /** Trades the demo's past before the present. */
  story: boolean;
  /** Other processes may trade on the same database. */
  shared: boolean;
}

/** Everything that trades, for `buildApp`, and what starts and stops it with the app. */
export function createTrading(options: TradingOptions) {
  const { db, clock, markets, vault, keyCheck, story, shared } = options;
  const metrics = createMetrics();
  // The past is traded by an engine and a venue of its own, on the same accounts.
  let telling = story;
  let preparing = story;
  const paper = createPaperVenue({
    ...{ db, clock, markets, shared: () => shared || telling },
    ...{ latency: travelMs, ownLatency: true, halfLifeMs: DEPTH_HALF_LIFE_MS },
  });
  const real = createReal(options, {
    onFound: (userId) => void engine.wake(userId).catch(() => undefined),
    onHealth: (userId) => {
      notifier.wake();
      void engine.wake(userId).catch(() => undefined);
    },
    onTrouble: (what) => onTrouble(what, null),
  });
  const venue = timedVenue(venueByMode(paper, real.venueOf), metrics);
  const hub = createStreamHub({ clock });
  let onLost = (_error: Error) => {};
  const relay = new StreamRelay({ db, hub, onLost: (error) => onLost(error) });
  const pairModels = new PairModels();
  const post = createPublicPost();
  const mail = createPublicMail();
  let onTrouble = (_what: string, _userId: string | null) => {};
  let onUntold = (_what: string) => {};
  let onUndone = (_what: string) => {};
  const jobs = new Jobs(db, (what) => onUndone(what));
  const notifier = new Notifier({
    db,
    clock,
    stream: relay,
    post,
    mail,
    vault,
    jobs,
    isTestnet: options.real?.places.some((place) => place.isTestnet),
    onTrouble: (what) => onUntold(what),
  });
  const publish = publishNotices(relay, clock);
  const engine = new Engine({
    db,
    clock,
    markets,
    venue,
    pairModels,
    sideBySide: 8,
    turnMs: 1_000,
    notify: (notice) => {
      publish(notice);
      // What an account is worth is no news.
      if (notice.kind !== 'account') notifier.wake();
    },
    onTick: metrics.tick,
    onTrouble: (what, userId) => {
      if (userId !== null) metrics.failed();
      onTrouble(what, userId);
    },
  });
  const breaker = new StrategyBreaker(
    { db, clock, markets },
    {
      onTripped: (userId) => {
        notifier.wake();
        void engine.wake(userId).catch(() => undefined);
      },
      onTrouble: (what) => onTrouble(what, null),
    },
  );
  let onUnasked = (_what: string) => {};
  const keyWatch = new KeyWatch({ db, clock, vault, keyCheck }, (what) => onUnasked(what));
  const retention = new Retention({ db, clock, jobs });
  const reconciling = new DailyReconcile({ db, clock, venue, jobs });
  let stopping = false;

  /** Starts once the app listens; a start that was slow would keep everybody waiting. */
  async function begin(app: FastifyInstance): Promise<void> {
    try {
      if (story) await seedHistoryInWorker(db, () => stopping);
      // Reads the accounts as the story left them, the last time that there was somebody else.
      if (story && !stopping) await venue.advance();
      telling = false;
    } catch (error) {
      app.log.error({ name: (error as Error).name }, 'the past of the demo could not be traded');
    }
    preparing = false;
    if (!stopping) await openMissing(app);
    if (stopping) return;
    engine.start();
    // Not before the past is traded: what the demo did weeks ago is no news.
    notifier.start();
    breaker.start();
    keyWatch.start();
    jobs.start();
    for (const daily of [retention, reconciling]) await daily.start().catch((error: Error) => onUndone(error.name));
    jobs.wake();
  }

  /** Who registered before accounts were opened then may be signed in already. */
  async function openMissing(app: FastifyInstance): Promise<void> {
    try {
      await openMissingAccounts({ db, clock, markets, venue });
    } catch (error) {
      app.log.error({ name: (error as Error).name }, 'accounts that are missing could not be opened');
    }
  }

  return {
    deps: {
      desk: engine,
      venue,
      ...(options.real && { real, realCap: options.real.maxNotional }),
      pairModels,
      hub,
      stream: relay,
      post,
      mail,
      jobs,
      metrics,
      preparing: () => preparing,
      storyProgress: () => storyProgress(db, clock()),
      engineIsLate: () => engine.isLate,
    },
    /** Before the app is ready: it ends the trading when it closes. @returns what starts it. */
    attach(app: FastifyInstance): () => void {
      onTrouble = (what, userId) => {
        const code = what.split(' ').at(-1);
        if (!app.disk.note({ code })) app.log.warn({ what, userId }, 'a book could not be traded');
      };
      onUntold = (what) => {
        if (!app.disk.isFull) app.log.warn({ what }, 'notifications could not be kept or sent');
      };
      onUndone = (what) => {
        if (!app.disk.isFull) app.log.warn({ what }, 'jobs could not be taken or ended');
      };
      onUnasked = (what) => app.log.warn({ what }, 'exchanges could not be asked about keys');
      onLost = ({ name, code }: NodeJS.ErrnoException) =>
        app.log.warn({ name, code }, 'live events of other processes are not heard until the database is back');
      let begun: Promise<void> = Promise.resolve();
      // Before anybody can read, so that nobody can miss what the others publish.
      app.addHook('onReady', () => relay.start());
      app.addHook('onClose', async () => {
        stopping = true;
        await begun;
        await breaker.stop();
        await keyWatch.stop();
        await notifier.stop();
        await jobs.stop();
        await engine.stop().finally(() => relay.close());
        await real.stop();
      });
      return () => {
        begun = begin(app);
      };
    },
  };
}
