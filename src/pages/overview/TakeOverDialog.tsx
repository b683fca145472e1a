import { ProForm } from '@ant-design/pro-components';
import { Alert, Button, type FormInstance, Input, Select } from 'antd';
import { useLayoutEffect, useRef } from 'react';
import type { AccountPosition } from '#contract/account';
import { hedge, TakeOverExits, type TakeOverTerms } from '#contract/kinds/hedge/desk';
import { LEG_LABEL, LEGS, type Leg } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { NumberInput } from '@/components/NumberInput';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import RealMoney from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { Waiting } from '@/components/Waiting';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { SchemaField } from '@/form/SchemaField';
import { schemaForm } from '@/form/schemaForm';
import { call } from '@/services/call';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { FigureList } from '@/strategy/FigureList';
import styles from './index.module.css';

type Candidate = TakeOverTerms['positions'][number];
type Values = TakeOverExits & { other: string; longQuantity: string; shortQuantity: string; typed?: string };

const percent = { unit: '%', scale: 100, step: 0.5 };
const exitForm = schemaForm(TakeOverExits, {
  groups: [{ title: '平仓', fields: ['stopLoss', 'takeProfit', 'slippageCap'] }],
  fields: {
    stopLoss: percent,
    takeProfit: percent,
    slippageCap: { unit: 'bps' },
  },
});
const RULES = rulesOf(hedge.takeOver.body!);

interface TakeOverDialogProps {
  /** A position that no deal explains. */
  row: AccountPosition;
  onTaken: () => void;
  onClose: () => void;
}

/** Makes a hedge of two positions that no deal explains. */
export default function TakeOverDialog({ row, onTaken, onClose }: TakeOverDialogProps) {
  const { accountId, source, symbol } = row;
  const { data: terms, error } = useCall(hedge.takeOverTerms, { query: { accountId } });
  const [form] = ProForm.useForm<Values>();
  const own = terms?.positions.find((one) => one.source === source && one.symbol === symbol);
  const apart = (one: Candidate) => Math.abs(worthOf(one) - (own ? worthOf(own) : 0));
  // What is worth about as much is meant most likely.
  const others = (terms?.positions ?? [])
    .filter((one) => one.source === source && one.side !== own?.side)
    .sort((a, b) => apart(a) - apart(b));
  const known = terms !== undefined && own !== undefined && others.length > 0 ? { terms, own, others } : null;
  const save = async (values: Values, options: object) => {
    if (known === null) return;
    const { other: _other, longQuantity, shortQuantity, typed, ...exits } = values;
    const { long, short } = legsOf(known, values.other);
    const places = { accountId, source, long: long.symbol, short: short.symbol };
    const quantities = { longQuantity: `${longQuantity}`, shortQuantity: `${shortQuantity}` };
    const isReal = known.terms.mode === 'live';
    const body = { ...places, ...quantities, ...exitForm.toApi(exits), ...(isReal && { typed: typed ?? '' }) };
    const { hedgeId, refused } = await call(hedge.takeOver, { body }, options);
    if (refused !== null) return toast.error(`没有接管：${PAIR_BLOCK_LABEL[refused]}`);
    if (hedgeId === null) toast.info('请求已登记，引擎还没有处理，稍后看持仓');
    else toast.success('已接管为对冲单，没有买卖');
    onTaken();
  };
  const why = error?.message ?? (own ? NO_OTHER : NOT_A_LEG);
  const isOnItsWay = terms === undefined && !error;
  const waiting = isOnItsWay ? <Waiting rows={6} /> : <Alert type="warning" showIcon title={why} />;
  return (
    <FormDialog<Values>
      title={`接管：${symbol}`}
      subject="接管"
      form={form}
      width={760}
      initialValues={NOTHING_YET}
      money
      okText="接管"
      save={save}
      onClose={onClose}
      {...(known === null && { buttons: (leave: () => void) => <Button onClick={leave}>关闭</Button> })}
    >
      {known === null ? waiting : <TakeOverFields form={form} known={known} />}
    </FormDialog>
  );
}

/** Before the terms are read no field is there. */
const NOTHING_YET = {} as Values;

const NO_OTHER = '对冲要有两腿：这个账户里没有方向相反、没有交易单解释的合约持仓可以配对。';
const NOT_A_LEG = '这个持仓现在不能接管：现货、没有标记价或低于最小下单额的不能做对冲的一腿，或数量刚刚变了。';

const worthOf = ({ quantity, mark }: Candidate): number => Number(quantity) * mark;
const decimalsOf = (lot: string): number => lot.split('.')[1]?.length ?? 0;

interface Known {
  terms: TakeOverTerms;
  /** What is taken over, and what may be its other side, the likeliest first. */
  own: Candidate;
  others: readonly Candidate[];
}

/** Both legs where this is the other one. */
function legsOf({ own, others }: Known, symbol: string | undefined): Record<Leg, Candidate> {
  const other = others.find((one) => one.symbol === symbol) ?? others[0]!;
  return { [own.side]: own, [other.side]: other } as Record<Leg, Candidate>;
}

const quantityOf = { long: 'longQuantity', short: 'shortQuantity' } as const;

function TakeOverFields({ form, known }: { form: FormInstance<Values>; known: Known }) {
  const { terms, own, others } = known;
  const otherSide: Leg = own.side === 'long' ? 'short' : 'long';
  const legs = legsOf(known, ProForm.useWatch('other', form));
  const isReal = terms.mode === 'live';
  const first = useRef<Values>({
    ...exitForm.toForm(terms.exits),
    other: others[0]!.symbol,
    longQuantity: legs.long.quantity,
    shortQuantity: legs.short.quantity,
  });
  useLayoutEffect(() => form.setFieldsValue(first.current), [form]);
  return (
    <>
      <RealMoney at={isReal ? [own.source] : null} />
      <p>
        不买卖、不下单，资金不动：两个持仓按标记价从账户转入一张新的对冲单。此后平掉这张对冲单，就是平掉这些持仓；止损、止盈到了也由它按市价平，在滑点上限以内；不自动再平衡，不限持有时间。
      </p>
      <div className={styles.taken}>
        <Field name="other" label={`另一腿（${LEG_LABEL[otherSide]}）`} rules={[{ required: true }]}>
          <Select
            aria-label="另一腿"
            options={others.map(({ symbol, quantity }) => ({ value: symbol, label: `${symbol}（${quantity}）` }))}
            onChange={(symbol: string) => {
              const found = others.find((one) => one.symbol === symbol);
              if (found) form.setFieldValue(quantityOf[otherSide], found.quantity);
            }}
          />
        </Field>
        {LEGS.map((leg) => (
          <Field
            key={leg}
            name={quantityOf[leg]}
            label={`${LEG_LABEL[leg]} ${legs[leg].symbol}`}
            rules={RULES[quantityOf[leg]]}
            extra={`最多 ${legs[leg].quantity}，步长 ${legs[leg].lotSize}`}
          >
            <NumberInput<string>
              stringMode
              aria-label={`${LEG_LABEL[leg]}数量`}
              className={styles.quantity}
              step={legs[leg].lotSize}
              precision={decimalsOf(legs[leg].lotSize)}
            />
          </Field>
        ))}
        {exitForm.names.map((name) => (
          <SchemaField key={name} form={exitForm} name={name} />
        ))}
      </div>
      <Ticket legs={legs} marginUsed={terms.marginUsed} />
      {isReal && (
        <Field
          name="typed"
          label={`输入 ${legs.long.symbol} 确认${modeLabel('live')}`}
          rules={[{ required: true, whitespace: true, message: `请输入 ${legs.long.symbol}` }]}
        >
          <Input aria-label={`确认${modeLabel('live')}`} autoComplete="off" />
        </Field>
      )}
    </>
  );
}

/** What is taken over, at the marks. */
function Ticket({ legs, marginUsed }: { legs: Record<Leg, Candidate>; marginUsed: string | null }) {
  const [longQuantity, shortQuantity] = [ProForm.useWatch('longQuantity'), ProForm.useWatch('shortQuantity')];
  const worth = {
    long: Number(longQuantity ?? 0) * legs.long.mark,
    short: Number(shortQuantity ?? 0) * legs.short.mark,
  };
  const [gross, net] = [worth.long + worth.short, worth.long - worth.short];
  return (
    <FigureList
      label="接管票据"
      figures={[
        ...LEGS.map((leg) => ({
          label: `${LEG_LABEL[leg]}名义`,
          formula: '数量 × 标记价',
          figure: (
            <>
              <Amount value={worth[leg]} unit="USDT" />
              <div className="soft">
                标记价 <Price value={legs[leg].mark} />
                {legs[leg].leverage !== null && `，${legs[leg].leverage} 倍杠杆`}
              </div>
            </>
          ),
        })),
        {
          label: '不平衡',
          formula: '多头名义 − 空头名义，占两边之和',
          figure: (
            <>
              <Amount value={net} unit="USDT" signed />
              <div className="soft">
                <Percent value={gross === 0 ? null : Math.abs(net) / gross} reason="没有名义" />
              </div>
            </>
          ),
        },
        {
          label: '账户已占用保证金',
          figure: (
            <>
              <Amount value={marginUsed === null ? null : Number(marginUsed)} unit="USDT" reason="交易所没有回答" />
              <div className="soft">接管不改变它</div>
            </>
          ),
        },
      ]}
    />
  );
}
