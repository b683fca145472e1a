import { ComingScreen } from '@/components/ComingScreen';

export default function UserCenter() {
  return <ComingScreen title="用户中心" promise="这里将管理用户、角色与停用状态，并查看登录记录与审计日志。" />;
}
