import { Alert, Button, Form, Modal } from 'antd';
import { useState } from 'react';
import { REFUSALS } from '#contract/codes';
import { type HedgeDesk, type HedgeSettings, hedgeConfig } from '#contract/hedgeConfig';
import { basketOf } from '#contract/pair';
import { SymbolSelect } from '@/components/SymbolSelect';
import { toast } from '@/components/toast';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import deskStyles from '../index.module.css';
import { BasketChoice } from './BasketChoice';
import { PairPreview } from './PairPreview';
import { pairRules } from './pairRules';
import styles from './pairs.module.css';

export interface PairWish {
  /** A symbol, a comma-separated basket, or nothing. */
  long: string;
  short: string;
  /** Whose market the wish comes from, when it says so. */
  source: string | null;
}

interface Sides {
  long?: string;
  short?: string;
}

interface AddPairDialogProps {
  desk: HedgeDesk & { settings: HedgeSettings };
  wish: PairWish;
  onClose: () => void;
  onAdded: () => void;
}

/** Only one coin a side is traded; a basket is left for the person to choose from. */
const single = (text: string) => (basketOf(text).length === 1 ? basketOf(text)[0] : undefined);

/** Adds a pair: two coins, what is known of them together, and the rules that the server checks as well. */
export default function AddPairDialog({ desk, wish, onClose, onAdded }: AddPairDialogProps) {
  const { settings, pairs } = desk;
  const [form] = Form.useForm<Sides>();
  const [refusal, setRefusal] = useState<CallError>();
  const [saving, setSaving] = useState(false);
  const long = Form.useWatch('long', form);
  const short = Form.useWatch('short', form);
  const reversed =
    refusal?.code === REFUSALS.pairReversed.code ||
    pairs.some((pair) => pair.long === short && pair.short === long && pair.source === settings.source);

  const add = async ({ long: buys, short: sells }: Sides) => {
    if (!buys || !sells) return;
    setSaving(true);
    setRefusal(undefined);
    try {
      const body = { long: buys, short: sells, ...(reversed ? { confirmReversed: true } : {}) };
      await call(hedgeConfig.addPair, { body });
      toast.success(`已添加：多 ${buys} / 空 ${sells}`);
      onAdded();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setSaving(false);
      setRefusal(error);
      form.setFields(error.fields.map(({ field, message }) => ({ name: field as keyof Sides, errors: [message] })));
    }
  };

  return (
    <Modal
      open
      width="min(720px, calc(100vw - 32px))"
      title="添加交易对"
      onCancel={onClose}
      footer={
        <div className={deskStyles.formButtons}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" danger={reversed} loading={saving} onClick={form.submit}>
            {reversed ? '仍然添加' : '添加'}
          </Button>
        </div>
      }
    >
      <div className={deskStyles.stack}>
        {wish.source !== null && wish.source !== settings.source && (
          <Alert
            type="warning"
            showIcon
            title={`这一对来自数据源 ${wish.source}，对冲配置用的是 ${settings.source}：同名币种的行情可能不同。`}
          />
        )}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{ long: single(wish.long), short: single(wish.short) }}
          onFinish={add}
          onValuesChange={() => setRefusal(undefined)}
        >
          <div className={styles.twoSides}>
            <BasketChoice side="long" text={wish.long} onChoose={(symbol) => form.setFieldsValue({ long: symbol })} />
            <BasketChoice
              side="short"
              text={wish.short}
              onChoose={(symbol) => form.setFieldsValue({ short: symbol })}
            />
            <Form.Item name="long" label="多头" rules={pairRules('long', desk)} dependencies={['short']}>
              <SymbolSelect source={settings.source} exclude={short ? [short] : []} aria-label="多头" />
            </Form.Item>
            <Form.Item name="short" label="空头" rules={pairRules('short', desk)} dependencies={['long']}>
              <SymbolSelect source={settings.source} exclude={long ? [long] : []} aria-label="空头" />
            </Form.Item>
          </div>
        </Form>
        {reversed && (
          <Alert type="warning" showIcon title={`${REFUSALS.pairReversed.message}：两对方向相反，持有时互相抵消。`} />
        )}
        {refusal && !reversed && refusal.fields.length === 0 && <Alert type="error" showIcon title={refusal.message} />}
        {long && short && long !== short && <PairPreview settings={settings} long={long} short={short} />}
      </div>
    </Modal>
  );
}
