import { Tooltip } from 'antd';
import { ORIGIN_LABEL, ORIGIN_REASON, type Origin } from '#contract/sessionRow';

/** Where an address is, as far as that is known. */
export const OriginWord = ({ origin }: { origin: Origin }) => (
  <Tooltip title={ORIGIN_REASON}>
    <span>{ORIGIN_LABEL[origin]}</span>
  </Tooltip>
);
