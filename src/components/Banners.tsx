import { Link, useLocation, useModel } from '@umijs/max';
import { Alert } from 'antd';
import { VISITOR_DELAY_MS, VISITOR_ROWS } from '#contract/evaluate';
import { service } from '#contract/service';
import { withCallback } from '@/services/callback';
import { useCall } from '@/services/useCall';

const DEMO = '演示环境：模拟行情';
/** Takes the height of a line and says nothing. */
const NO_TEXT = '\u00a0';

/**
 * What holds for every screen: simulated prices, and the limits of a visitor. Its place is kept while
 * it is not known, so that the page does not jump.
 */
export function Banners() {
  const { pathname, search } = useLocation();
  const visitor = useModel('@@initialState').initialState?.user === undefined;
  const { data, error } = useCall(service.environment, {});
  const unknown = data === undefined && error === undefined;
  if (!visitor && !unknown && !data?.demo) return null;
  const register = withCallback('/register', `${pathname}${search}`);
  return (
    <div className="banners">
      {data?.demo && <Alert banner type="info" title={DEMO} />}
      {unknown && <Alert banner className="unseen" aria-hidden title={NO_TEXT} />}
      {visitor && (
        <Alert
          banner
          type="warning"
          title={
            <>
              访客体验：最多 {VISITOR_ROWS} 个币种，价格至少延迟 {VISITOR_DELAY_MS / 60_000}{' '}
              分钟，不能编辑、回测或查看详情。
              <Link to={register}>注册账户</Link> 后解除。
            </>
          }
        />
      )}
    </div>
  );
}
