import { Form, Input, Select } from 'antd';
import { useEffect } from 'react';
import { type ApiKeyRow, apiKey, fitsVenue, KEY_DEMANDS } from '#contract/apiKey';
import { ORDER_EXCHANGES, type ORDER_SOURCES } from '#contract/candle';
import { spaced } from '#contract/spaced';
import { venueAccount } from '#contract/venueAccount';
import RealMoney from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import { isOnTestnet, modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';

type RealVenue = (typeof ORDER_SOURCES)[number];

interface Values {
  name: string;
  venue: RealVenue;
  apiKeyId?: string;
}

interface OpenLiveDialogProps {
  /** Those without a real account. */
  venues: readonly RealVenue[];
  onOpened: () => void;
  onClose: () => void;
}

const rules = rulesOf(venueAccount.openLive.body!);
const nameAt = (venue: RealVenue) => spaced(`${venueLabel(venue).split(' · ')[0]}${modeLabel('live')}`);

const demandsAt = (venue: RealVenue) => KEY_DEMANDS[ORDER_EXCHANGES.find((name) => fitsVenue(name, venue))!];

/** Opens a real account by one of the caller's keys. */
export default function OpenLiveDialog({ venues, onOpened, onClose }: OpenLiveDialogProps) {
  const [form] = Form.useForm<Values>();
  const venue = Form.useWatch('venue', form) ?? venues[0]!;
  const { data } = useCall(apiKey.list, { query: { pageSize: 200, sort: 'name' } });
  const keys = (data?.list ?? []).filter(({ enabled }) => enabled);
  const first = venues.find((one) => keys.some((key) => fitsVenue(key.exchange, one)));
  // Where a key is held, until another exchange is chosen.
  useEffect(() => {
    if (first !== undefined && !form.isFieldsTouched()) form.setFieldsValue({ venue: first, name: nameAt(first) });
  }, [first, form]);
  return (
    <FormDialog<Values>
      title={`开立${modeLabel('live')}账户`}
      form={form}
      initialValues={{ name: nameAt(venues[0]!), venue: venues[0]! }}
      losing={{ name: '账户', apiKeyId: '密钥' }}
      okText={`开立${modeLabel('live')}账户`}
      danger
      save={async ({ apiKeyId = '', ...own }, options) => {
        await call(venueAccount.openLive, { body: { ...own, apiKeyId } }, options);
        toast.success(`已在 ${venueLabel(own.venue)} 开立${modeLabel('live')}账户`);
        onOpened();
      }}
      onClose={onClose}
    >
      <RealMoney at={[venue]} />
      <Field name="venue" label="交易所" rules={rules.venue}>
        <Select
          aria-label="交易所"
          options={venues.map((value) => ({ value, label: venueLabel(value) }))}
          onChange={(to: RealVenue) => {
            const isOwnName = form.getFieldValue('name') !== nameAt(venue);
            form.setFieldsValue({ apiKeyId: undefined, ...(!isOwnName && { name: nameAt(to) }) });
          }}
        />
      </Field>
      <KeyField venue={venue} keys={keys.filter((key) => fitsVenue(key.exchange, venue))} />
      <Field name="name" label="账户名称" rules={rules.name} extra="不填本金：权益就是交易所账户里的">
        <Input maxLength={32} />
      </Field>
    </FormDialog>
  );
}

/** Which of the caller's keys it is opened by: the only one that fits, unless another is chosen. */
function KeyField({ venue, keys }: { venue: RealVenue; keys: readonly ApiKeyRow[] }) {
  const form = Form.useFormInstance<Values>();
  const only = keys.length === 1 ? keys[0]!.id : undefined;
  useEffect(() => {
    if (only !== undefined) form.setFieldValue('apiKeyId', only);
  }, [only, form]);
  return (
    <Field
      name="apiKeyId"
      label="密钥"
      rules={[{ required: true, message: '请选择密钥' }]}
      extra={`${demandsAt(venue)}。都须单向持仓、全仓，没有提现权限${isOnTestnet() ? '' : '，设有 IP 白名单'}；开户时向交易所测试。本人须已开启两步验证`}
    >
      <Select
        aria-label="密钥"
        notFoundContent="没有该交易所已启用的密钥：请先在 API 密钥页添加"
        options={keys.map(({ id, name, maskedKey }) => ({ value: id, label: `${name} ${maskedKey}` }))}
      />
    </Field>
  );
}
