import { Button } from 'antd';
import { useState } from 'react';
import type { ApiKeyRow } from '#contract/apiKey';
import { DateTime } from '@/components/DateTime';
import { CardFigures, RowCard } from '@/table/RowCard';
import { KeyActions } from './KeyActions';
import { KeyDetail } from './KeyDetail';
import { Expiry, IpTags, RightTags, StateTag } from './KeyTags';
import { EXCHANGE_LABEL, keyTitle } from './keyLabels';

/** A key on a phone. */
export function KeyCard({ row }: { row: ApiKeyRow }) {
  const [open, setOpen] = useState(false);
  return (
    <RowCard
      label={keyTitle(row)}
      head={
        <>
          <span>
            <strong>{row.name}</strong> <span className="soft">{EXCHANGE_LABEL[row.exchange]}</span>
          </span>
          <StateTag row={row} />
        </>
      }
    >
      <CardFigures
        columns={2}
        figures={[
          [
            'Key',
            <span key="key" className="figure">
              {row.maskedKey}
            </span>,
          ],
          ['使用策略', row.strategies],
          ['权限', <RightTags key="rights" rights={row.report?.rights ?? null} />, true],
          ['IP 白名单', <IpTags key="ip" ipList={row.report?.ipList ?? null} />],
          ['最近使用', <DateTime key="used" value={row.usedAt} reason="还没有用过" />],
          ['到期日', <Expiry key="end" row={row} />, true],
          ...(row.note === '' ? [] : [['备注', row.note, true] as const]),
        ]}
      />
      <KeyActions row={row} />
      <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '收起' : '权限对照与测试结果'}
      </Button>
      {open && <KeyDetail row={row} />}
    </RowCard>
  );
}
