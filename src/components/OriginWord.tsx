import { Tooltip } from 'antd';
import type { Origin } from '#contract/session';

export const ORIGIN_LABEL: Record<Origin, string> = {
  loopback: '本机',
  private: '内网',
  public: '公网',
  unknown: '未知',
};

/** Why there is no city. */
export const ORIGIN_REASON = '只由 IP 本身判断本机、内网或公网；不把登录地址交给定位服务，所以没有城市';

/** Where an address is, as far as that is known. */
export const OriginWord = ({ origin }: { origin: Origin }) => (
  <Tooltip title={ORIGIN_REASON}>
    <span>{ORIGIN_LABEL[origin]}</span>
  </Tooltip>
);
