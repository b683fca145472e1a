import { Input, Select } from 'antd';
import { apiKey, fitsVenue } from '#contract/apiKey';
import type { ORDER_SOURCES } from '#contract/candle';
import { spaced } from '#contract/spaced';
import { venueAccount } from '#contract/venueAccount';
import RealMoney from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
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

/** Opens a real account by one of the caller's keys. */
export default function OpenLiveDialog({ venues, onOpened, onClose }: OpenLiveDialogProps) {
  const venue = venues[0]!;
  const [exchange] = venueLabel(venue).split(' · ');
  const { data } = useCall(apiKey.list, { query: { pageSize: 200, sort: 'name' } });
  const keys = (data?.list ?? []).filter((key) => key.enabled && fitsVenue(key.exchange, venue));
  return (
    <FormDialog<Values>
      title="开立实盘账户"
      initialValues={{ name: spaced(`${exchange}实盘`), venue }}
      losing={{ name: '账户', apiKeyId: '密钥' }}
      okText="开立实盘账户"
      danger
      save={async ({ apiKeyId = '', ...own }, options) => {
        await call(venueAccount.openLive, { body: { ...own, apiKeyId } }, options);
        toast.success(`已在 ${venueLabel(own.venue)} 开立实盘账户`);
        onOpened();
      }}
      onClose={onClose}
    >
      <RealMoney at={[venue]} />
      <Field name="venue" label="交易所" rules={rules.venue}>
        <Select aria-label="交易所" options={venues.map((value) => ({ value, label: venueLabel(value) }))} />
      </Field>
      <Field
        name="apiKeyId"
        label="密钥"
        rules={rules.apiKeyId}
        extra="开户时向交易所测试：须有现货与合约交易权限、没有提现权限、设有 IP 白名单，账户为单向持仓、全仓。本人须已开启两步验证"
      >
        <Select
          aria-label="密钥"
          notFoundContent="没有该交易所已启用的密钥：请先在 API 密钥页添加"
          options={keys.map(({ id, name, maskedKey }) => ({ value: id, label: `${name} ${maskedKey}` }))}
        />
      </Field>
      <Field name="name" label="账户名称" rules={rules.name} extra="不填本金：权益就是交易所账户里的">
        <Input maxLength={32} />
      </Field>
    </FormDialog>
  );
}
