import { DownOutlined, SettingOutlined } from '@ant-design/icons';
import { useAccess } from '@umijs/max';
import { Button, Switch, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import type { HedgeDesk } from '#contract/kinds/hedge/config';
import { ActionMenu } from '@/components/ActionMenu';
import { DateTime } from '@/components/DateTime';
import { MoneyButton } from '@/components/MoneyButton';
import { useWhyOff } from '@/services/whyOff';
import styles from './index.module.css';

const actions = () => import('./hedgeActions');

interface DeskHeadProps {
  desk: HedgeDesk;
  onSettings: () => void;
  refresh: () => void;
  freshness: ReactNode;
}

/** The switch, the stops and the way to the settings. */
export function DeskHead({ desk, onSettings, refresh, freshness }: DeskHeadProps) {
  const { enabled, switchedAt, switchedBy, running, settings, paused, lossLimitHit, tripped } = desk;
  const turn = async () => {
    const { confirmSwitch, confirmUntrip } = await actions();
    if (!enabled && tripped !== null) confirmUntrip(tripped, refresh);
    else confirmSwitch(!enabled, running, refresh);
  };
  const held = paused !== null || lossLimitHit;
  const whyOff = useWhyOff(settings === null ? '先保存对冲配置' : undefined);
  return (
    <header className={styles.head}>
      <h1>多空对冲</h1>
      <Tooltip title={whyOff}>
        <Switch
          checked={enabled}
          disabled={whyOff !== undefined}
          checkedChildren="启用"
          unCheckedChildren="停用"
          aria-label="启用对冲"
          onClick={() => void turn()}
        />
      </Tooltip>
      <span className="soft">
        {enabled ? '已启用' : '已停用'}
        {switchedAt !== null && (
          <>
            ，自 <DateTime value={switchedAt} />
            {switchedBy !== null && `，由 ${switchedBy} 操作`}
          </>
        )}
        ；进行中 {running} 张
      </span>
      <span className={styles.live}>{freshness}</span>
      <div className={styles.headActions}>
        {held ? (
          <MoneyButton
            type="primary"
            onClick={() => void actions().then((m) => m.confirmResume(lossLimitHit, refresh))}
          >
            恢复开仓
          </MoneyButton>
        ) : (
          <MoneyButton onClick={() => void actions().then((m) => m.confirmPause(refresh))}>暂停开仓</MoneyButton>
        )}
        <ForAll paused={desk.pausedForAll !== null} refresh={refresh} />
        <Button icon={<SettingOutlined />} type={settings === null ? 'primary' : 'default'} onClick={onSettings}>
          对冲配置
        </Button>
      </div>
    </header>
  );
}

function ForAll({ paused, refresh }: { paused: boolean; refresh: () => void }) {
  const { isMaster } = useAccess();
  if (!isMaster) return null;
  const items = [
    { key: 'pause' as const, label: '暂停开仓', disabled: paused },
    { key: 'resume' as const, label: '恢复开仓', disabled: !paused },
    { key: 'flatten' as const, label: '全部平仓', danger: true },
  ];
  const onClick = ({ key }: { key: string }) =>
    void actions().then((m) => m.confirmForAll(key as (typeof items)[number]['key'], refresh));
  return (
    <ActionMenu menu={{ items, onClick }}>
      <MoneyButton>
        所有用户 <DownOutlined />
      </MoneyButton>
    </ActionMenu>
  );
}
