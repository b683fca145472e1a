import { Link, useLocation } from '@umijs/max';
import { Button, Modal } from 'antd';
import { withCallback } from '@/services/callback';
import styles from './pair.module.css';

/** Tells a visitor what an account adds; signing in comes back to the same filters and chosen coins. */
export default function AccountOffer({ what, onClose }: { what: string; onClose: () => void }) {
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  return (
    <Modal
      open
      title="登录后可用"
      onCancel={onClose}
      footer={
        <div className={styles.panelActions}>
          <Link to={withCallback('/register', here)}>
            <Button>注册</Button>
          </Link>
          <Link to={withCallback('/login', here)}>
            <Button type="primary">登录</Button>
          </Link>
        </div>
      }
    >
      <p>账户可以{what}。</p>
      <p>登录后还有：全部币种、实时价格、评价人、币种详情与中性回测。已选的币种和筛选会保留。</p>
    </Modal>
  );
}
