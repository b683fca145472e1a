import { Link, useLocation, useModel } from '@umijs/max';
import { Alert, Button } from 'antd';
import { Suspense, useLayoutEffect, useState } from 'react';
import { account } from '#contract/account';
import { MINUTE_MS } from '#contract/duration';
import { VISITOR_DELAY_MS, VISITOR_ROWS } from '#contract/evaluate';
import { demoWords, type Environment, followedNames, service } from '#contract/service';
import { withCallback } from '@/services/callback';
import { useDrafts } from '@/services/drafts';
import { reconnect, useOfflineSince } from '@/services/offline';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';
import { ActionAlert } from './ActionAlert';
import { formatDateTime } from './DateTime';
import { late } from './late';

const ViewingAs = late(() => import('./ViewingAs'));
const FailingBanner = late(() => import('./FailingBanner'));
const DraftBanner = late(() => import('./DraftBanner'));

/** `told`: days that are there, of how many; absent: not known yet */
const preparingWords = ({ told, ...of }: Environment): string =>
  `${demoWords(of)}。正在生成演示交易${told ? `：已生成 ${told.day} / ${told.days} 天` : ''}，完成前账户与统计数字还不完整`;
const PREPARING_MS = 3_000;
/** Where no event comes. */
const LOOK_MS = 60_000;
/** Takes the height of a line and says nothing. */
const NO_TEXT = '\u00a0';

/** That nothing of the user's is booked, opened, closed or stopped any more; it comes and goes with what the user is told. */
function useFailing(isUser: boolean) {
  const { data, mutate } = useCall(account.failing, isUser ? {} : null, { refreshInterval: LOOK_MS });
  useChanges(['notification'], () => void mutate());
  return data?.failing ?? null;
}

/** Where orders go that are not on paper, where that is not plainly their exchange; else null. */
function placeWords({ trading, local = [] }: Environment): string | null {
  const there = '那里是替身交易所，或通往交易所的代理';
  const here = local.length === 0 ? null : `${followedNames({ followed: local })}的真实委托发往本机的地址：${there}`;
  if (trading !== 'testnet') return here;
  return here === null ? '测试网：行情、委托与资金都是交易所测试网的，没有真钱' : `测试网：${here}`;
}

/**
 * What holds for every screen: that the server is not heard any more, that the user's account fails, simulated prices, the limits of a visitor, and that a master looks on as another. Its
 * place is kept while it is not known, so that the page does not jump.
 */
export function Banners() {
  const { pathname, search } = useLocation();
  const user = useModel('@@initialState').initialState?.user;
  const visitor = user === undefined;
  const [preparing, setPreparing] = useState(false);
  const { data, error } = useCall(service.environment, {}, { refreshInterval: preparing ? PREPARING_MS : 0 });
  if (data && data.preparing !== preparing) setPreparing(data.preparing);
  const place = data ? placeWords(data) : null;
  const unknown = data === undefined && error === undefined;
  const viewer = user?.viewer ?? null;
  const failing = useFailing(!visitor);
  const offline = useOfflineSince();
  const drafts = useDrafts(user?.id);
  const isQuiet = viewer === null && failing === null && offline === undefined && drafts.length === 0;
  if (!visitor && isQuiet && !unknown && !data?.demo && place === null) return null;
  const here = `${pathname}${search}`;
  const isClosed = data?.registration === false;
  return (
    <div className="banners">
      {offline !== undefined && <OfflineBanner since={offline} />}
      {user && viewer !== null && (
        <Suspense fallback={null}>
          <ViewingAs name={user.name} viewer={viewer} />
        </Suspense>
      )}
      {failing !== null && (
        <Suspense fallback={null}>
          <FailingBanner {...failing} />
        </Suspense>
      )}
      {drafts.length > 0 && (
        <Suspense fallback={null}>
          <DraftBanner drafts={drafts} />
        </Suspense>
      )}
      {data?.demo && <Alert banner type="info" title={preparing ? preparingWords(data) : demoWords(data)} />}
      {place !== null && <Alert banner type="warning" title={place} />}
      {unknown && <Alert banner className="unseen" aria-hidden title={NO_TEXT} />}
      {visitor && (
        <Alert
          banner
          type="warning"
          title={
            <>
              访客体验：最多 {VISITOR_ROWS} 个币种，价格至少延迟 {VISITOR_DELAY_MS / MINUTE_MS}{' '}
              分钟，可试用回测，不能编辑或查看详情。
              <Link to={withCallback(isClosed ? '/login' : '/register', here)}>{isClosed ? '登录' : '注册账户'}</Link>{' '}
              后解除。
            </>
          }
        />
      )}
    </div>
  );
}

/** That the server is not heard any more; while it stands, figures are dimmed and nothing that moves money can be done. */
function OfflineBanner({ since }: { since: number }) {
  useLayoutEffect(() => {
    document.documentElement.dataset.offline = '';
    return () => {
      delete document.documentElement.dataset.offline;
    };
  }, []);
  const from = since > 0 ? `自 ${formatDateTime(since, 'second').slice(11)} 起` : '';
  return (
    <ActionAlert
      banner
      type="error"
      title={
        <>
          <b>离线</b>：{from}收不到服务器的消息，页面上的数字已过时，涉及资金的操作已停用。正在自动重连。
        </>
      }
      action={
        <Button size="small" onClick={reconnect}>
          立即重连
        </Button>
      }
    />
  );
}
