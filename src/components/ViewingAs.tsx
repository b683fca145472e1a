import { history } from '@umijs/max';
import { Alert, Button, Watermark } from 'antd';
import { userAdmin } from '#contract/userAdmin';
import { call } from '@/services/call';
import { signalSession } from '@/services/sessionSignal';

interface ViewingAsProps {
  /** Who is looked at, and who looks. */
  name: string;
  viewer: string;
}

/** Over dialogs too, and in nobody's way. */
const OVER_ALL = { position: 'fixed', inset: 0, zIndex: 2000, pointerEvents: 'none' } as const;
const FULL = { height: '100vh' };

/** Whose call failed has been told by `call`, and looks on. */
async function leave(): Promise<void> {
  await call(userAdmin.leaveView, {});
  history.push('/user/center');
  // Every tab of this browser is the master's again.
  signalSession('signedIn', true);
}

/** Tells on every screen that it is somebody else's and may only be read, and leads back. */
export default function ViewingAs({ name, viewer }: ViewingAsProps) {
  return (
    <>
      <Alert
        banner
        type="warning"
        title={`${viewer} 正在以 ${name} 的身份只读查看：看到的是 ${name} 的账户，任何操作都会被拒绝`}
        action={
          <Button size="small" onClick={() => void leave().catch(() => {})}>
            退出查看
          </Button>
        }
      />
      <Watermark style={OVER_ALL} content={[`以 ${name} 的身份查看`, viewer]}>
        <div style={FULL} />
      </Watermark>
    </>
  );
}
