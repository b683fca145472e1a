import { ROLES } from '#contract/access';
import { AUDIT_RESULT_LABEL } from '#contract/audit';
import { JOB_QUEUES, JOB_STATE_LABEL } from '#contract/job';
import { LOGIN_RESULT_LABEL, USER_STATUS_LABEL } from '#contract/userAdmin';
import { wordsOf } from '#contract/words';
import { type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import type { ListFilter } from '@/table/ListPanel';
import { type Change, listQuery } from '@/table/listQuery';
import { periodCodecs, spanOf } from '@/table/period';

export const TABS = ['users', 'sessions', 'logins', 'audit', 'jobs', 'sources', 'access', 'security'] as const;
export type Tab = (typeof TABS)[number];

/** Everything of the screen that a reload and a link keep; each tab asks by the filters that are its own. */
export const centerQuery = listQuery(
  {
    ...periodCodecs,
    search: textCodec(),
    role: wordCodec(ROLES, null),
    status: wordCodec(wordsOf(USER_STATUS_LABEL), null),
    /** Whose sessions, logins or doings. */
    userId: textCodec(),
    address: textCodec(),
    login: wordCodec(wordsOf(LOGIN_RESULT_LABEL), null),
    action: textCodec(),
    object: textCodec(),
    outcome: wordCodec(wordsOf(AUDIT_RESULT_LABEL), null),
    queue: wordCodec(JOB_QUEUES, null),
    jobState: wordCodec(wordsOf(JOB_STATE_LABEL), null),
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

export const toSources = ({ current, pageSize }: CenterState) => ({ current, pageSize });

/** Of every tab: what the URL holds, and the users to choose from. */
export interface PanelProps {
  state: CenterState;
  change: ChangeCenter;
  users: readonly { value: string; label: string }[];
}

/** Whose rows: one user's. */
export const whoseFilter = (label: string, options: PanelProps['users']): ListFilter<CenterState> => ({
  ...{ key: 'userId', label, options },
  searchable: true,
});
