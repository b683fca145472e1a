import { randomUUID } from 'node:crypto';
import { fitsVenue } from '#contract/apiKey';
import type { BodyOf } from '#contract/endpoint';
import type { venueAccount } from '#contract/venueAccount';
import { type ApiKeyRecord, keyOf } from '../../base/db/accounts/apiKey';
import { insertRealAccount } from '../../base/db/accounts/venueAccount';
import { lockBook, moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { notFound, refused } from '../../base/http/refusal';
import { refuseTaken } from '../../desk/account/openAccount';
import { VENUE_WORDS } from '../../engine/words';
import { type LiveVenue, type Opening, reasonAgainst } from '../../market/live/liveVenue';
import { VenueRefused } from '../../market/venue';
import { hasSecondFactor } from '../auth/secondFactor';
import type { PeopleDeps } from '../deps';
import { askAboutStored } from './changeKey';

/** Accounts at real exchanges. */
export type RealAccounts = Pick<LiveVenue, 'opening'>;

type Needs = Pick<PeopleDeps, 'db' | 'clock' | 'vault' | 'keyCheck'> & { real?: RealAccounts };
type Wanted = BodyOf<typeof venueAccount.openLive>;

/** What an account begins with, and the key that was looked at for it. */
interface Found extends Opening {
  id: string;
  key: ApiKeyRecord;
}

/** What is not refused by the exchange, but not known either. */
const UNANSWERED = '交易所没有回答，请稍后再试';

/** @throws 404; `liveClosed`; `factorForLive`; `keyOtherVenue` and `liveKeyUnfit` at `apiKeyId`; as `refuseTaken` */
export async function openingByKey(deps: Needs, userId: string, wanted: Wanted): Promise<Found> {
  const { db, real } = deps;
  const key = await fitKey(db, userId, wanted);
  if (real === undefined) throw refused('liveClosed');
  if (!(await hasSecondFactor(db, userId))) throw refused('factorForLive');
  await refuseTaken(db, userId, wanted, 'live');
  const against = reasonAgainst(await askAboutStored(deps, key, true), deps.keyCheck?.isTestnet);
  if (against !== null) throw unfit(VENUE_WORDS[against]);
  const id = randomUUID();
  const opening = await real.opening(id, key).catch((error: unknown) => {
    throw unfit(error instanceof VenueRefused ? VENUE_WORDS[error.reason] : UNANSWERED);
  });
  return { ...opening, id, key };
}

/** Makes it the user's, with the journal that it begins with. @throws as `openingByKey` where something changed meanwhile */
export async function insertReal(tx: Queries, userId: string, wanted: Wanted, { id, key, uid, write }: Found) {
  if ((await lockBook(tx, userId)) === null) throw refused('accountMissing');
  await refuseTaken(tx, userId, wanted, 'live');
  const { rotatedAt } = await fitKey(tx, userId, wanted);
  if (rotatedAt !== key.rotatedAt) throw unfit('密钥刚刚被更换，请再试一次');
  const { name, venue } = wanted;
  // Two books of one account would each take the other's trades for those of strangers, and its money for its own.
  const row = { id, userId, venue, name: name.trim(), apiKeyId: key.id, exchangeUid: uid };
  if (!(await insertRealAccount(tx, row))) throw refused('liveAccountTaken', '', 'apiKeyId');
  await write(tx);
  await moveBook(tx, userId);
  return { id };
}

/** A key of the user's that is in use and of that exchange; nobody changes it before the transaction ends. */
async function fitKey(db: Queries, userId: string, { apiKeyId, venue }: Wanted): Promise<ApiKeyRecord> {
  const key = await keyOf(db, userId, apiKeyId, true);
  if (key === null) throw notFound('没有找到该密钥');
  if (!fitsVenue(key.exchange, venue)) throw refused('keyOtherVenue', '', 'apiKeyId');
  if (!key.enabled) throw unfit('密钥已停用');
  return key;
}

const unfit = (why = UNANSWERED) => refused('liveKeyUnfit', why, 'apiKeyId');
