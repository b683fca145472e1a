import { Tooltip } from 'antd';

/** A figure that is not there: "-" and why. Never a 0 in its place. */
export function Missing({ reason = '暂无数据' }: { reason?: string }) {
  return (
    <Tooltip title={reason}>
      <span className="missing" role="img" aria-label={`缺失：${reason}`}>
        -
      </span>
    </Tooltip>
  );
}
