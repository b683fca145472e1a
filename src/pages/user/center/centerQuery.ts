import { ROLES } from '#contract/access';
import { AUDIT_RESULTS } from '#contract/audit';
import { JOB_QUEUES, JOB_STATES } from '#contract/job';
import { LOGIN_RESULTS, USER_STATUSES } from '#contract/userAdmin';
import { type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';
import { periodCodecs, spanOf } from '@/table/period';

export const TABS = ['users', 'sessions', 'logins', 'audit', 'jobs', 'access', 'security'] as const;
export type Tab = (typeof TABS)[number];

/** Everything of the screen that a reload and a link keep; each tab asks by the filters that are its own. */
export const centerQuery = listQuery(
  {
    ...periodCodecs,
    search: textCodec(),
    role: wordCodec(ROLES, null),
    status: wordCodec(USER_STATUSES, null),
    /** Whose sessions, logins or doings. */
    userId: textCodec(),
    address: textCodec(),
    login: wordCodec(LOGIN_RESULTS, null),
    action: textCodec(),
    object: textCodec(),
    outcome: wordCodec(AUDIT_RESULTS, null),
    queue: wordCodec(JOB_QUEUES, null),
    jobState: wordCodec(JOB_STATES, null),
  },
  { tab: wordCodec(TABS, 'users') },
);

export type CenterState = StateOf<typeof centerQuery.codecs>;
export type ChangeCenter = Change<CenterState>;

const placeOf = ({ current, pageSize, sort }: CenterState) => ({ current, pageSize, sort: sort || undefined });
const given = (text: string) => text.trim() || undefined;

export const toUsers = (state: CenterState) => ({
  ...placeOf(state),
  search: given(state.search),
  role: state.role ?? undefined,
  status: state.status ?? undefined,
});

export const toSessions = (state: CenterState) => ({ ...placeOf(state), userId: given(state.userId) });

export const toLogins = (state: CenterState) => ({
  ...placeOf(state),
  ...spanOf(state),
  userId: given(state.userId),
  address: given(state.address),
  result: state.login ?? undefined,
});

export const toAudit = (state: CenterState) => ({
  ...placeOf(state),
  ...spanOf(state),
  actorId: given(state.userId),
  action: given(state.action),
  object: given(state.object),
  result: state.outcome ?? undefined,
});

export const toJobs = (state: CenterState) => ({
  ...placeOf(state),
  queue: state.queue ?? undefined,
  state: state.jobState ?? undefined,
});

/** Of every tab: what the URL holds, and the users to choose from. */
export interface PanelProps {
  state: CenterState;
  change: ChangeCenter;
  users: readonly { value: string; label: string }[];
}
