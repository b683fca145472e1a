import { Modal } from 'antd';
import { SignInButton } from './SignInButton';

/** Tells a visitor what an account adds; signing in comes back to the same filters and chosen coins. */
export default function AccountOffer({ what, onClose }: { what: string; onClose: () => void }) {
  return (
    <Modal open title="登录后可用" onCancel={onClose} footer={<SignInButton />}>
      <p>账户可以{what}；已选的币种和筛选会保留。</p>
    </Modal>
  );
}
