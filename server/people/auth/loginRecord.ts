import type { FastifyRequest } from 'fastify';
import type { LoginReason, LoginResult } from '#contract/userAdmin';
import { countRefused, recordAttempt } from '../../base/db/users/loginAttempt';
import type { UserRow } from '../../base/db/users/user';
import { networkOf } from '../../base/http/apiCall';
import type { PeopleDeps } from '../deps';

/** Where somebody signs in from. */
export interface Visit {
  address: string;
  userAgent: string;
}

/** What is kept of a browser's name for itself. */
const AGENT_LENGTH = 300;

export const visitOf = ({ ip, headers }: FastifyRequest): Visit => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, AGENT_LENGTH),
});

const RESULTS: Partial<Record<LoginReason, LoginResult>> = {
  password: 'ok',
  recoveryCode: 'ok',
  registered: 'ok',
  oneTimeCode: 'ok',
  tooMany: 'locked',
};

/** People type passwords into the field of the name. */
export const maskedName = (name: string): string => `${[...name].slice(0, 2).join('')}***`;

interface Attempt {
  /** As it was typed. */
  name: string;
  /** Whose name it is; null for nobody's. */
  user: UserRow | null;
  reason: LoginReason;
}

/** Records an attempt to sign in; one that was refused is counted with those that are alike. */
export async function noteAttempt(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  visit: Visit,
  { name, user, reason }: Attempt,
): Promise<void> {
  const result = RESULTS[reason] ?? 'refused';
  const attempt = {
    ...visit,
    at: clock(),
    userId: user?.id ?? null,
    name: user?.name ?? maskedName(name),
    result,
    reason,
  };
  if (result === 'ok') await recordAttempt(db, attempt);
  else await countRefused(db, attempt, networkOf(visit.address));
}
