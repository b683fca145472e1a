import { history, useAccess } from '@umijs/max';
import { AutoComplete, Input, type InputRef, Modal } from 'antd';
import { useCallback, useEffect, useState } from 'react';
import { venueName } from '#contract/candle';
import { type Found, search } from '#contract/search';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { formatDateTime } from '@/components/DateTime';
import { HEDGE_STATE_LABEL } from '@/components/labels';
import { roleLabel } from '@/components/roleLabel';
import { screensFound } from '@/components/screensFound';
import { useCall } from '@/services/useCall';
import { STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
import styles from './keys.module.css';

/** Typing that rests so long is searched for, ms. */
const REST_MS = 200;

interface Option {
  /** Where it leads. */
  value: string;
  label: React.ReactNode;
}

const line = (what: string, more: string) => (
  <span className={styles.option}>
    <span>{what}</span>
    <span className="soft">{more}</span>
  </span>
);

const coinOf = ({ source, symbol, name }: Found['coins'][number]): Option => ({
  value: `/indicator/symbol/detail/${encodeURIComponent(symbol)}?${new URLSearchParams({ source })}`,
  label: line(name === null ? symbol : `${symbol} ${name}`, venueName(source)),
});

// Several of one pair differ by when they began.
const hedgeOf = ({ id, long, short, state, createdAt, user }: Found['hedges'][number]): Option => ({
  value: `/strategy/hedge?id=${id}`,
  label: line(`${long} / ${short}`, `${HEDGE_STATE_LABEL[state]} · ${formatDateTime(createdAt)} · ${user}`),
});

const strategyOf = ({ kind, name, state, user }: Found['strategies'][number]): Option => ({
  // Hedges have a desk of each user's own.
  value: `/strategy/overview?${new URLSearchParams({ search: name })}`,
  label: line(name, `${STRATEGY_KIND_LABEL[kind]} · ${STRATEGY_STATE_LABEL[state]} · ${user}`),
});

const userOf = ({ name, role }: Found['users'][number]): Option => ({
  value: `/user/center?${new URLSearchParams({ search: name })}`,
  label: line(name, roleLabel(role)),
});

const group = (label: string, options: Option[]) => (options.length === 0 ? [] : [{ label, options }]);

/** One field for everything that one may open. */
export function Palette({ onClose }: { onClose: () => void }) {
  const access = useAccess();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState('');
  // At once when the dialog has it: whoever presses the keys goes on typing.
  const takeFocus = useCallback((input: InputRef | null) => input?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const asks = access.signedIn && wanted !== '';
  const { data, error } = useCall(search.everything, asks ? { query: { text: wanted } } : null);
  const found = asks ? data : undefined;
  const options = [
    ...group(
      '页面',
      screensFound(text, access).map(({ path, name }) => ({ value: path, label: line(name, path) })),
    ),
    ...group('币种', (found?.coins ?? []).map(coinOf)),
    ...group('对冲单', (found?.hedges ?? []).map(hedgeOf)),
    ...group('策略', (found?.strategies ?? []).map(strategyOf)),
    ...group('用户', (found?.users ?? []).map(userOf)),
  ];
  const waits = asks && found === undefined && error === undefined;
  const open = (path: string) => {
    onClose();
    history.push(path);
  };
  return (
    <Modal open title="搜索" footer={null} onCancel={onClose} width={560} className={styles.palette}>
      <AutoComplete<string>
        open
        defaultActiveFirstOption
        className={styles.field}
        options={options}
        value={text}
        onChange={(next) => setText(next ?? '')}
        onSelect={open}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        listHeight={360}
        getPopupContainer={(field) => field.parentElement ?? document.body}
        notFoundContent={waits ? '正在搜索' : (error?.text ?? '没有找到')}
      >
        <Input
          autoFocus
          ref={takeFocus}
          aria-label="搜索页面、币种、对冲单、策略"
          placeholder="页面、币种（代码、中文或拼音）、对冲单编号或币种、策略、用户"
          maxLength={64}
        />
      </AutoComplete>
    </Modal>
  );
}
